import { passwordHasher } from "#backend/auth/passwords/password-hasher";
import { StartError } from "#process/start-error";
import { readSettings } from "#server/settings";
import { nameDatabase, requireOwnAccounts, withDatabase } from "../open-for-command.ts";
import { command } from "../terminal.ts";
import { create, invite, requireInvitations, resetMfa, resetPassword } from "./account-commands.ts";
import { type CommandInput, options } from "./command.ts";
import { databaseSetup } from "./database-setup.ts";
import { events } from "./events.ts";
import { deleteAccount, erase, exportData } from "./personal-data-commands.ts";
import { readPassword } from "./prompts.ts";
import { grant, list, revoke } from "./role-commands.ts";
import { rotateKeys } from "./rotate-keys.ts";
import { sendTest } from "./send-test.ts";
import { trustClock } from "./trust-clock.ts";

/** `form` is what is typed behind the name: the command takes these options, and nothing else. */
type AdminCommand = { form: string; help: string } & (
  | {
      run: (input: CommandInput) => Promise<string>;
      /** Changes nothing, not even by a migration. */
      reads?: true;
      /** Also for the accounts of a hosted project, which this server must not write: the project could not read them. */
      isForHosted?: true;
    }
  /** Needs no database, which may not be there yet. */
  | { runAlone: (input: Pick<CommandInput, "email" | "given" | "settings" | "note">) => Promise<string> }
);

const commands = new Map<string, AdminCommand>(
  Object.entries({
    create: {
      form: "you@example.com [--admin] [--password-stdin]",
      help: "creates a confirmed account; --admin: it may read the contacts",
      run: create,
    },
    invite: {
      form: "you@example.com [--admin]",
      help: "sends an invitation, with a link to choose a password",
      run: invite,
    },
    grant: {
      form: "you@example.com [--new-password]",
      help: "lets the account read the contacts; an email says so, and with\n      --new-password also asks for a new password",
      run: grant,
      isForHosted: true,
    },
    revoke: {
      form: "you@example.com",
      help: "the account may no longer read the contacts",
      run: revoke,
      isForHosted: true,
    },
    list: { form: "", help: "lists who may read the contacts", run: list, reads: true, isForHosted: true },
    "reset-password": {
      form: "you@example.com [--password-stdin]",
      help: "sets a new password; logs out everywhere",
      run: resetPassword,
    },
    "reset-mfa": { form: "you@example.com", help: "removes the second factor; logs out everywhere", run: resetMfa },
    events: {
      form: "you@example.com",
      help: "the account's log: logins, failed ones, changes, with internet addresses",
      run: events,
      reads: true,
    },
    export: {
      form: "you@example.com [--output FILE]",
      help: "everything the database holds about the address, as JSON",
      run: exportData,
      isForHosted: true,
      reads: true,
    },
    delete: {
      form: "you@example.com [--yes] [--last-admin]",
      help: "deletes the account; contacts stay",
      run: deleteAccount,
    },
    erase: {
      form: "you@example.com [--yes] [--last-admin]",
      help: "deletes everything about the address for good",
      run: erase,
      isForHosted: true,
    },
    "rotate-keys": {
      form: "[--now] [--yes]",
      help: "signs tokens with a new key; --now (after a leak) ends the old key and all\n      sessions at once",
      run: rotateKeys,
    },
    "trust-clock": {
      form: "[--yes]",
      help: "the database's clock is right: the daily removal that waits after a jump of\n      the clock goes on, and times from the future become the present",
      run: trustClock,
    },
    "send-test": {
      form: "you@example.com",
      help: "sends one email and prints the mail server's answer",
      runAlone: sendTest,
    },
    "database-setup": {
      form: "[--run]",
      help: "the SQL that prepares the PostgreSQL of DATABASE_URL, to be run once as\n      superuser; --run: runs it, as SUPERUSER_DATABASE_URL",
      runAlone: databaseSetup,
    },
  } satisfies Record<string, AdminCommand>),
);

/** Printed if the command line is not valid. */
export const usage = [...commands].reduce(
  (text, [name, { form, help }]) => `${text}\n  npm run admin -- ${`${name} ${form}`.trim()}\n      ${help}`,
  "Usage:",
);

/** One command line of `npm run admin`. */
export const runAdmin = command(
  { usage, options, words: [1, 2] },
  async ({ values: given, words: [name = "", email = ""] }, { environment, input, print, printNote }, shutdown) => {
    const chosen = commands.get(name);
    const takes = (option: string) => chosen?.form.includes(`[--${option}`) ?? false;
    if (!chosen || (email !== "") !== chosen.form.includes("@") || !Object.keys(given).every(takes))
      throw new StartError(usage);

    const settings = readSettings(environment);
    const simple = { email, given, settings, note: printNote };
    if ("runAlone" in chosen) return print(await chosen.runAlone(simple));

    if (name === "invite") requireInvitations(settings, email);
    printNote(`Database: ${nameDatabase(settings)}`);
    // The password is read before the database is opened, so that a server can start while the operator types.
    const password = takes("password-stdin") ? await readPassword(input, given["password-stdin"]) : "";
    const migrations = chosen.reads ? ({ only: "none" } as const) : {};
    return withDatabase(settings, shutdown, { ...migrations, mustExist: true }, async ({ owner, isServed }) => {
      if (!chosen.isForHosted) await requireOwnAccounts(owner);
      const text = await chosen.run({ ...simple, password, hasher: passwordHasher(), input, owner, isServed });
      // Printed before the database is closed, so that the operator reads what was done even if closing fails.
      print(text);
    });
  },
);
