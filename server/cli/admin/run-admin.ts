import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { readSettings } from "#server/settings";
import type { Shutdown } from "#server/shutdown";
import { nameDatabase, openForCommand, requireDatabase } from "../open-for-command.ts";
import { CommandError } from "../report-problem.ts";
import { readArguments, runInTerminal, type Terminal } from "../terminal.ts";
import { create, invite, resetMfa, resetPassword } from "./account-commands.ts";
import type { CommandInput, CommandWork } from "./command.ts";
import { databaseSetup } from "./database-setup.ts";
import { deleteAccount, erase, exportData } from "./personal-data-commands.ts";
import { grant, list, revoke } from "./role-commands.ts";
import { rotateKeys } from "./rotate-keys.ts";
import { sendTest } from "./send-test.ts";
import { usage } from "./usage.ts";

/** Each command with the options that it takes. */
const commands = new Map<string, { run: Command; options: readonly string[] }>([
  ["create", { run: create, options: ["admin", "password-stdin"] }],
  ["invite", { run: invite, options: ["admin"] }],
  ["grant", { run: grant, options: ["new-password"] }],
  ["revoke", { run: revoke, options: [] }],
  ["list", { run: list, options: [] }],
  ["reset-password", { run: resetPassword, options: ["password-stdin"] }],
  ["reset-mfa", { run: resetMfa, options: [] }],
  ["export", { run: exportData, options: ["output"] }],
  ["delete", { run: deleteAccount, options: ["yes", "last-admin"] }],
  ["erase", { run: erase, options: ["yes", "last-admin"] }],
  ["rotate-keys", { run: rotateKeys, options: ["now", "yes"] }],
]);

/** These commands are not about one address. */
const withoutAddress: readonly Command[] = [list, rotateKeys];

type Command = (command: CommandInput) => Promise<CommandWork>;

/** Runs one command line of `npm run admin` and resolves with its exit code. Never rejects. */
export function runAdmin(args: readonly string[], terminal: Partial<Terminal> = {}): Promise<number> {
  return runInTerminal(terminal, (complete, shutdown) => run(args, complete, shutdown));
}

async function run(args: readonly string[], { environment, input, print, printNote }: Terminal, shutdown: Shutdown) {
  const { name, email, given } = parse(args);
  // The command send-test must work without a database.
  if (name === "send-test" && email) return print(await sendTest(email, readSettings(environment)));

  // The command database-setup prepares the database that the others open.
  if (name === "database-setup" && email === undefined && Object.keys(given).every((option) => option === "run")) {
    return print(await databaseSetup(readSettings(environment), { run: given.run ?? false, printNote }));
  }

  const command = commands.get(name);
  if (!command || (email === undefined) !== withoutAddress.includes(command.run)) throw new CommandError(usage);
  if (Object.keys(given).some((option) => !command.options.includes(option))) throw new CommandError(usage);

  const settings = readSettings(environment);
  printNote(`Database: ${nameDatabase(settings)}`);
  await requireDatabase(settings);
  const work = await command.run({
    email,
    admin: given.admin ?? false,
    passwordFromStdin: given["password-stdin"] ?? false,
    newPassword: given["new-password"] ?? false,
    output: given.output,
    yes: given.yes ?? false,
    lastAdmin: given["last-admin"] ?? false,
    now: given.now ?? false,
    ...{ settings, input, note: printNote, hasher: passwordHasher() },
  });
  const database = await openForCommand(settings, shutdown);
  try {
    print(await work(database.owner, database));
  } finally {
    await database.close();
  }
}

function parse(args: readonly string[]) {
  const { values: given, positionals } = readArguments(args, usage, {
    admin: { type: "boolean" },
    "password-stdin": { type: "boolean" },
    "new-password": { type: "boolean" },
    output: { type: "string" },
    yes: { type: "boolean" },
    "last-admin": { type: "boolean" },
    now: { type: "boolean" },
    run: { type: "boolean" },
  });
  const [name = "", email, ...rest] = positionals;
  if (rest.length > 0) throw new CommandError(usage);
  return { name, email, given };
}
