import { parseArgs } from "node:util";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { Refusal } from "#server/http/refusal";
import { readSettings, SettingsError } from "#server/settings";
import { StartError } from "#server/start-error";
import { create, invite, resetPassword } from "./account-commands.ts";
import { CommandError, type Input } from "./command.ts";
import { openForCommand } from "./open-for-command.ts";
import { grant, list, revoke } from "./role-commands.ts";
import { sendTest } from "./send-test.ts";
import { usage } from "./usage.ts";

const commands = new Map([
  ["create", create],
  ["invite", invite],
  ["grant", grant],
  ["revoke", revoke],
  ["list", list],
  ["reset-password", resetPassword],
]);

/** Input, settings and output of a command. */
export interface Terminal {
  environment: NodeJS.ProcessEnv;
  input: Input;
  print: (text: string) => void;
  printError: (error: unknown) => void;
}

const processTerminal: Terminal = {
  environment: process.env,
  input: process.stdin,
  print: console.log,
  printError: console.error,
};

/** Runs one command line of `npm run admin` and resolves with its exit code. Never rejects. */
export async function runAdmin(args: readonly string[], terminal: Partial<Terminal> = {}): Promise<number> {
  const { printError, ...rest } = { ...processTerminal, ...terminal };
  try {
    await run(args, rest);
    return 0;
  } catch (error) {
    reportProblem(error, printError);
    return 1;
  }
}

/**
 * Prints an error that the operator can correct as one sentence. Any other error is a bug and is printed with its stack
 * trace.
 */
export function reportProblem(error: unknown, printError: Terminal["printError"]) {
  const isPlain = [CommandError, Refusal, StartError, SettingsError].some((kind) => error instanceof kind);
  printError(isPlain ? (error as Error).message : error);
}

async function run(args: readonly string[], { environment, input, print }: Omit<Terminal, "printError">) {
  const { name, ...options } = readArguments(args);
  // The command send-test must work without a database.
  if (name === "send-test" && options.email) return print(await sendTest(options.email, readSettings(environment)));

  const command = commands.get(name);
  if (!command || (options.email === undefined) !== (command === list)) throw new CommandError(usage);
  if (options.newPassword && command !== grant) throw new CommandError(usage);

  const settings = readSettings(environment);
  const work = await command({ ...options, settings, input, hasher: passwordHasher() });
  const database = await openForCommand(settings);
  try {
    print(await work(database.owner));
  } finally {
    await database.close();
  }
}

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        admin: { type: "boolean", default: false },
        "password-stdin": { type: "boolean", default: false },
        "new-password": { type: "boolean", default: false },
      },
    });
    const [name = "", email, ...rest] = positionals;
    if (rest.length > 0) throw new CommandError(usage);
    const { admin, "password-stdin": passwordFromStdin, "new-password": newPassword } = values;
    return { name, email, admin, passwordFromStdin, newPassword };
  } catch {
    throw new CommandError(usage);
  }
}
