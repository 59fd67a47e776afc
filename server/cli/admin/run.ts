import { parseArgs } from "node:util";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { Refusal } from "#server/http/refusal";
import { readSettings, SettingsError } from "#server/settings";
import { StartError } from "#server/start-error";
import { CommandError } from "./command-error.ts";
import { create } from "./create.ts";
import { openForCommand } from "./database.ts";
import { grant } from "./grant.ts";
import { invite } from "./invite.ts";
import { list } from "./list.ts";
import type { Input } from "./read-password.ts";
import { resetPassword } from "./reset-password.ts";
import { revoke } from "./revoke.ts";
import { sendTest } from "./send-test.ts";

const usage = `Usage:
  npm run admin -- create you@example.com [--admin] [--password-stdin]   a confirmed account
  npm run admin -- invite you@example.com [--admin]                      a mail, and who follows it chooses a password
  npm run admin -- grant you@example.com                                 may read the contacts from now on
  npm run admin -- revoke you@example.com                                may not any more
  npm run admin -- list                                                  who may
  npm run admin -- reset-password you@example.com [--password-stdin]     a new password; signs out everywhere
  npm run admin -- send-test you@example.com                             one mail, and what the mail server answers`;

const commands = new Map([
  ["create", create],
  ["invite", invite],
  ["grant", grant],
  ["revoke", revoke],
  ["list", list],
  ["reset-password", resetPassword],
]);

/** Where a command reads a password, what it is set to, and where its words go. */
export interface Terminal {
  environment: NodeJS.ProcessEnv;
  input: Input;
  print: (words: string) => void;
  complain: (problem: unknown) => void;
}

const ownTerminal: Terminal = {
  environment: process.env,
  input: process.stdin,
  print: console.log,
  complain: console.error,
};

/** Runs one command line of `npm run admin` and resolves with its exit code. Never rejects. */
export async function runAdmin(args: readonly string[], terminal: Partial<Terminal> = {}): Promise<number> {
  const { complain, ...rest } = { ...ownTerminal, ...terminal };
  try {
    await run(args, rest);
    return 0;
  } catch (error) {
    // What an operator can mend is one sentence; anything else is a bug and shows where it is.
    const isPlain = [CommandError, Refusal, StartError, SettingsError].some((kind) => error instanceof kind);
    complain(isPlain ? (error as Error).message : error);
    return 1;
  }
}

async function run(args: readonly string[], { environment, input, print }: Omit<Terminal, "complain">) {
  const { name, ...order } = readOrder(args);
  // The one command that must work while there is no database.
  if (name === "send-test" && order.email) return print(await sendTest(order.email, readSettings(environment)));

  const command = commands.get(name);
  if (!command || (order.email === undefined) !== (command === list)) throw new CommandError(usage);

  const settings = readSettings(environment);
  const work = await command({ ...order, settings, input, hasher: passwordHasher() });
  const database = await openForCommand(settings);
  try {
    print(await work(database.owner));
  } finally {
    await database.close();
  }
}

function readOrder(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { admin: { type: "boolean", default: false }, "password-stdin": { type: "boolean", default: false } },
    });
    const [name = "", email, ...rest] = positionals;
    if (rest.length > 0) throw new CommandError(usage);
    return { name, email, admin: values.admin, passwordFromStdin: values["password-stdin"] };
  } catch {
    throw new CommandError(usage);
  }
}
