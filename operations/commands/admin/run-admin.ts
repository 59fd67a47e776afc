import { passwordHasher } from "#backend/auth/passwords/password-hasher";
import { CommandError } from "#operations/commands/report-problem";
import type { Shutdown } from "#process/shutdown";
import { readSettings } from "#server/settings";
import { nameDatabase, withDatabase } from "../open-for-command.ts";
import { runInTerminal, type Terminal } from "../terminal.ts";
import { create, invite, requireInvitations, resetMfa, resetPassword } from "./account-commands.ts";
import { type CommandInput, parseCommandLine } from "./command.ts";
import { databaseSetup } from "./database-setup.ts";
import { events } from "./events.ts";
import { deleteAccount, erase, exportData } from "./personal-data-commands.ts";
import { readPassword } from "./prompts.ts";
import { grant, list, revoke } from "./role-commands.ts";
import { rotateKeys } from "./rotate-keys.ts";
import { sendTest } from "./send-test.ts";
import { trustClock } from "./trust-clock.ts";

/** Printed if the command line is not valid. A command takes what its line here says, and nothing else. */
export const usage = `Usage:
  npm run admin -- create you@example.com [--admin] [--password-stdin]
      creates a confirmed account; --admin: it may read the contacts
  npm run admin -- invite you@example.com [--admin]
      sends an invitation, with a link to choose a password
  npm run admin -- grant you@example.com [--new-password]
      lets the account read the contacts; an email says so, and with
      --new-password also asks for a new password
  npm run admin -- revoke you@example.com
      the account may no longer read the contacts
  npm run admin -- list
      lists who may read the contacts
  npm run admin -- reset-password you@example.com [--password-stdin]
      sets a new password; logs out everywhere
  npm run admin -- reset-mfa you@example.com
      removes the second factor; logs out everywhere
  npm run admin -- events you@example.com
      the account's log: logins, failed ones, changes, with internet addresses
  npm run admin -- export you@example.com [--output FILE]
      everything the database holds about the address, as JSON
  npm run admin -- delete you@example.com [--yes] [--last-admin]
      deletes the account; contacts stay
  npm run admin -- erase you@example.com [--yes] [--last-admin]
      deletes everything about the address for good
  npm run admin -- rotate-keys [--now] [--yes]
      signs tokens with a new key; --now (after a leak) ends the old key and all
      sessions at once
  npm run admin -- trust-clock [--yes]
      the database's clock is right: the daily removal that waits after a jump of
      the clock goes on, and times from the future become the present
  npm run admin -- send-test you@example.com
      sends one email and prints the mail server's answer
  npm run admin -- database-setup [--run]
      the SQL that prepares the PostgreSQL of DATABASE_URL, to be run once as
      superuser; --run: runs it, as SUPERUSER_DATABASE_URL`;

const forms = new Map(
  [...usage.matchAll(/^ {2}npm run admin -- (\S+)(.*)$/gm)].map(([, name = "", form = ""]) => [name, form]),
);

const commands: Record<string, (command: CommandInput) => Promise<string>> = {
  create,
  invite,
  grant,
  revoke,
  list,
  "reset-password": resetPassword,
  "reset-mfa": resetMfa,
  events,
  export: exportData,
  delete: deleteAccount,
  erase,
  "rotate-keys": rotateKeys,
  "trust-clock": trustClock,
};

/** Runs one command line of `npm run admin` and resolves with its exit code. Never rejects. */
export function runAdmin(args: readonly string[], terminal: Partial<Terminal> = {}): Promise<number> {
  return runInTerminal(terminal, (complete, shutdown) => run(args, complete, shutdown));
}

async function run(args: readonly string[], { environment, input, print, printNote }: Terminal, shutdown: Shutdown) {
  const { values: given, positionals } = parseCommandLine(args, usage);
  const [name = "", email = "", ...rest] = positionals;
  const form = forms.get(name) ?? "";
  const takes = (option: string) => form.includes(`[--${option}`);
  const isRight = forms.has(name) && rest.length === 0 && (email !== "") === form.includes("@");
  if (!isRight || !Object.keys(given).every(takes)) throw new CommandError(usage);

  const settings = readSettings(environment);
  // Neither needs the database, which may not be there yet.
  if (name === "send-test") return print(await sendTest(email, settings));
  if (name === "database-setup") return print(await databaseSetup(settings, { run: given.run ?? false, printNote }));

  const command = commands[name];
  if (!command) throw new CommandError(usage);
  if (name === "invite") requireInvitations(settings, email);
  printNote(`Database: ${nameDatabase(settings)}`);
  // The password is read before the database is opened, so that a server can start while the operator types.
  const password = takes("password-stdin") ? await readPassword(input, given["password-stdin"]) : "";
  // These change nothing, not even by a migration.
  const options = ["list", "events", "export"].includes(name) ? ({ only: "none" } as const) : {};
  return withDatabase(settings, shutdown, { ...options, mustExist: true }, async ({ owner, isServed }) => {
    const hasher = passwordHasher();
    // Printed before the database is closed, so that the operator reads what was done even if closing fails.
    print(await command({ email, given, password, settings, hasher, input, note: printNote, owner, isServed }));
  });
}
