import { writeFile } from "node:fs/promises";
import type { ClientBase, Pool } from "pg";
import { findAdmins } from "#backend/auth/admin-roles";
import { writeAuditLog } from "#backend/auth/audit-log";
import { lockUserByEmail } from "#backend/auth/users";
import { withoutTimeLimit } from "#backend/database/connections";
import { inTransaction, liftTimeLimits, repeatAfterDeadlock } from "#backend/database/transaction";
import { StartError } from "#process/start-error";
import { type CommandInput, noAccount } from "./command.ts";
import {
  collectPersonalData,
  erasePerson,
  findPerson,
  holdings,
  type Person,
  type PersonalData,
  removeTraces,
} from "./personal-data.ts";
import { confirm } from "./prompts.ts";

/** What the commands cannot reach (docs/operating.md#requests-about-personal-data). */
const elsewhere = [
  "backups of the database",
  "emails that were sent, such as copies of contacts in the mailboxes of NOTIFY_TO, and calls of the webhook",
  "files that administrators have downloaded from the inbox, and notes in their browsers that were typed and not saved",
  "the last emails at /dev/mail of a running server without SMTP_URL, until it ends",
];
const hostedAccount =
  "the account, its sessions and its log, which the hosted project has: see Authentication, Users in its dashboard";

function placesElsewhere({ hasOwnAccounts }: Person): string[] {
  return hasOwnAccounts ? elsewhere : [...elsewhere, hostedAccount];
}

/** Writes everything that the database holds on an address, as JSON, to standard output or to a new file. */
export function exportData(command: CommandInput): Promise<string> {
  const { given, settings } = command;
  return withPerson(command, async (_pool, { person, data }) => {
    const text = JSON.stringify(
      {
        email: person.address,
        site: settings.siteUrl,
        exported_at: new Date(),
        not_included: [...placesElsewhere(person), "counts of rate limits, which are hashes and over within 80 hours"],
        ...data,
        account: data.account[0] ?? null,
      },
      undefined,
      2,
    );
    const { output } = given;
    if (output === undefined) return text;
    await writeFile(output, `${text}\n`, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      throw new StartError(error.code === "EEXIST" ? `${output} already exists.` : error.message);
    });
    return `${output} now holds everything about ${person.address}.`;
  });
}

/** Deletes everything that the database holds on an address. */
export function erase(command: CommandInput): Promise<string> {
  const { email, given, settings } = command;
  return withPerson(command, async (pool, { person, data }) => {
    const counts = Object.entries(holdings).flatMap(([name, { title }]) => {
      const count = data[name as keyof PersonalData].length;
      return count === 0 ? [] : [`  ${title}: ${count}`];
    });
    if (counts.length === 0) return `The database holds nothing about ${person.address}.`;
    const lines = [
      `The database holds this about ${person.address}:`,
      ...counts,
      "All of it will be deleted for good, except what is said to stay.",
    ];
    await confirm(command, lines);

    const left = await destroy(pool, async (db) => {
      if (person.hasOwnAccounts) await requireOtherAdmin(db, person.address, given);
      return erasePerson(db, email);
    });
    await removeTraces(pool, person);
    const isNotified = settings.notifyTo.includes(person.address);
    return [
      ...(given.yes ? lines : []),
      left.length === 0
        ? `Done: a search of every table no longer finds ${person.address}.`
        : `Done, but ${person.address} is still named in: ${left.join(", ")}.`,
      ...(isNotified ? ["NOTIFY_TO still names it, so it hears of each contact."] : []),
      "Not deleted:",
      ...placesElsewhere(person).map((place) => `  ${place}`),
    ].join("\n");
  });
}

/** Deletes an account with its sessions and roles. Contacts of the address and the log stay. */
export async function deleteAccount(command: CommandInput): Promise<string> {
  const { email, given } = command;
  return withPerson(command, async (pool, { person, data }) => {
    if (data.account.length === 0) throw noAccount(email);
    const kind = data.roles.length > 0 ? "administrator account" : "account";
    const line = `The ${kind} of ${person.address} will be deleted with its sessions (${data.sessions.length}). Contacts and log lines stay.`;
    await confirm(command, [line]);

    await destroy(pool, async (db) => {
      await requireOtherAdmin(db, person.address, given);
      const user = await lockUserByEmail(db, person.address);
      if (!user) throw noAccount(email);
      await db.query("delete from auth.users where id = $1", [user.id]);
      await writeAuditLog(db, { action: "user_deleted", user, traits: { by: "operator" } });
    });
    return `${person.address} has no account any more.`;
  });
}

/** An administrator who changes the same contacts at this moment, in another order, can cause a deadlock. */
function destroy<T>(owner: Pool, work: (db: ClientBase) => Promise<T>): Promise<T> {
  const destroyAtLength = async (db: ClientBase) => {
    await liftTimeLimits(db);
    return work(db);
  };
  return repeatAfterDeadlock(() => inTransaction(owner, destroyAtLength));
}

/** Locks the roles until the transaction ends, so that two commands cannot remove the last two administrators. */
async function requireOtherAdmin(db: ClientBase, address: string, given: CommandInput["given"]) {
  await db.query("lock table public.user_roles in share row exclusive mode");
  const admins = await findAdmins(db);
  if (given["last-admin"] || admins.length !== 1 || admins[0] !== address) return;
  throw new StartError(
    `${address} is the last administrator, and nobody could read the contacts afterwards. To do it anyway: --last-admin`,
  );
}

/** Runs `work` with what the database holds on the address. It is read in one transaction, so that its parts belong together. */
function withPerson(
  { owner, email }: CommandInput,
  work: (pool: Pool, held: { person: Person; data: PersonalData }) => Promise<string>,
): Promise<string> {
  return withoutTimeLimit(owner, async (pool) => work(pool, await collect(pool, email)));
}

function collect(owner: Pool, email: string) {
  return inTransaction(owner, async (db) => {
    await db.query("set transaction isolation level repeatable read, read only");
    await liftTimeLimits(db);
    const person = await findPerson(db, email);
    return { person, data: await collectPersonalData(db, person) };
  });
}
