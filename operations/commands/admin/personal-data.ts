import { domainToUnicode } from "node:url";
import type { ClientBase, Pool } from "pg";
import { normalizeEmail } from "#backend/auth/normalize-email";
import { readMigrationState } from "#backend/database/migrations";
import { StartError } from "#process/start-error";
import { jobsAbout } from "#server/jobs/queue";
import { invisible } from "#validation/contact";

/** What identifies a person in the database. */
export interface Person {
  /** The email address, as accounts store it. */
  address: string;
  /** The forms of the address: accounts have the domain in ASCII, contacts as it was typed. */
  addresses: string[];
  /** The ids of the account, and of earlier accounts of the address, which log lines still name. */
  userIds: string[];
  contactIds: string[];
  /** A regular expression of PostgreSQL that finds the address or an id of the account, but no part of a longer address. */
  pattern: string;
  /** Whether the accounts are this server's, and not those of a hosted project. */
  hasOwnAccounts: boolean;
}

interface Holding {
  /** For the operator, who sees how much there is. */
  title: string;
  table: string;
  /** The condition of the rows; `$1` is the person as JSON. */
  where: string;
  /** Columns that are secrets, or data of others. */
  hides?: readonly string[];
  /** What is exported in place of whole rows. */
  shows?: string;
  /** The rows are about others: they stay, without the name. */
  stays?: true;
  /** Whether the table is also there if a hosted project has the accounts. */
  isHosted?: true;
}

const isOneOf = (key: keyof Person, text: string) => `coalesce($1::jsonb -> '${key}' ? (${text})::text, false)`;
const names = (text: string) => `${text} ~* ($1::jsonb ->> 'pattern')`;
const isOfAccount = isOneOf("userIds", "user_id");

/** A line of the log about what the person did, which names no other account. */
const isOwnLine = `((${isOneOf("userIds", "payload ->> 'actor_id'")} or ${isOneOf("addresses", "payload ->> 'actor_username'")})
  and coalesce($1::jsonb -> 'userIds' ? (payload -> 'traits' ->> 'user_id'), true))`;

const isWork = ["handled_by", "read_by", "note_by"].map((column) => isOneOf("userIds", column)).join(" or ");

/**
 * Everything that the database holds on a person, for the export, and in the order in which it is erased. The end of a role
 * writes a line of the log, so the log comes after it. A row of an account that is not listed is deleted with the account.
 */
export const holdings = {
  senders: {
    title: "hashed networks of its contacts",
    table: "private.contact_senders",
    where: isOneOf("contactIds", "contact_id"),
    hides: ["address_hash", "wide_network_hash"],
    isHosted: true,
  },
  contacts: {
    title: "contacts",
    table: "public.contacts",
    where: isOneOf("contactIds", "id"),
    // Which administrators have worked on it is their data.
    hides: ["handled_by", "read_by", "note_by"],
    isHosted: true,
  },
  waiting_jobs: {
    title: "waiting emails and calls",
    ...jobsAbout("contactIds", "addresses"),
    shows: "task, payload ->> 'kind' as kind, created_at, run_at, attempts, last_error",
  },
  roles: { title: "roles", table: "public.user_roles", where: isOfAccount },
  second_factors: { title: "second factors", table: "auth.mfa_factors", where: isOfAccount, hides: ["secret"] },
  recovery_codes: {
    title: "recovery codes",
    table: "auth.mfa_recovery_codes",
    where: isOfAccount,
    hides: ["code_hash"],
  },
  mailed_links: {
    title: "mailed links that still work",
    table: "auth.one_time_tokens",
    where: isOfAccount,
    hides: ["token_hash", "code_hash"],
  },
  sessions: { title: "sessions", table: "auth.sessions", where: isOfAccount, hides: ["family_hash"] },
  account: {
    title: "account",
    table: "auth.users",
    where: isOneOf("addresses", "email"),
    hides: ["encrypted_password", "aud", "role"],
  },
  log: {
    title: "log lines",
    table: "auth.audit_log_entries",
    where: isOwnLine,
    shows: "created_at, payload ->> 'action' as action, payload -> 'traits' as details, ip_address",
  },
  /** Lines about what others did, for example the grant of a role. */
  log_of_others: {
    title: "log lines of others that name it, which stay without the name",
    table: "auth.audit_log_entries",
    where: `not ${isOwnLine} and ${names("payload::text")}`,
    shows: "created_at, payload ->> 'action' as action",
    stays: true,
  },
  /** What visitors wrote in them is not the administrator's. */
  handled_contacts: {
    title: "contacts that it takes care of, opened first or wrote the note of; they stay, without its id",
    table: "public.contacts",
    where: isWork,
    shows: `id, case when ${isOneOf("userIds", "handled_by")} then handled_by_since end as handled_by_since,
      case when ${isOneOf("userIds", "read_by")} then read_at end as read_at,
      case when ${isOneOf("userIds", "note_by")} then note_at end as note_at`,
    stays: true,
  },
  /** Contacts of others that name the address, mostly in a note. Their text is not the person's. */
  named_in_contacts: {
    title: "contacts of others that name it, which stay without the name",
    table: "public.contacts",
    where: `not ${isOneOf("contactIds", "id")} and ${names("concat_ws(' ', note, name, company)")}`,
    shows: `id, case when ${names("note")} then 'note' when ${names("name")} then 'name' else 'company' end as named_in`,
    stays: true,
    isHosted: true,
  },
} satisfies Record<string, Holding>;

export type PersonalData = Record<keyof typeof holdings, Record<string, unknown>[]>;

/** Those that the database has. */
function holdingsOf({ hasOwnAccounts }: Person) {
  return Object.entries<Holding>(holdings).filter(([, { isHosted }]) => isHosted || hasOwnAccounts);
}

export async function findPerson(db: ClientBase, email: string): Promise<Person> {
  const address = inOneForm(email);
  // The address is searched for in the texts of others, so it must not be a part of a word.
  if (!/^[^@\s]+@[^@\s]+$/.test(address)) throw new StartError(`${email} is not an email address.`);
  const inLetters = address.replace(/(?<=@).*xn--.*/, (domain) => domainToUnicode(domain) || domain);
  const { rows: contacts } = await db.query<{ id: string; email: string }>(
    "select id, email from public.contacts where email = $1 or email ~ '[^!-~]|xn--'",
    [address],
  );
  const own = contacts.filter((contact) => inOneForm(contact.email) === address);
  const contactIds = own.map(({ id }) => id);
  const addresses = [...new Set([address, inLetters, ...own.map((contact) => contact.email)])];
  const hasOwnAccounts = !(await readMigrationState(db)).isHosted;
  const ids = async (sql: string) =>
    (await db.query<{ id: string | null }>(sql, [addresses])).rows.flatMap(({ id }) => id ?? []);
  const userIds = !hasOwnAccounts
    ? []
    : await ids(
        `select id::text from auth.users where email = any ($1)
         union select payload ->> 'actor_id' from auth.audit_log_entries where payload ->> 'actor_username' = any ($1)
         union select payload -> 'traits' ->> 'user_id' from auth.audit_log_entries
           where payload -> 'traits' ->> 'user_email' = any ($1)`,
      );
  const quoted = [...addresses, ...userIds].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = `(?<![\\w.+%-])(${quoted.join("|")})(?![\\w-]|\\.\\w)`;
  return { address, addresses, contactIds, userIds, pattern, hasOwnAccounts };
}

/** As accounts have it. Contacts from before a rule, which a restore of contacts brings, may have it in any other. */
function inOneForm(email: string): string {
  return normalizeEmail(email.replace(new RegExp(`[${invisible}]`, "gu"), ""));
}

export async function collectPersonalData(db: ClientBase, person: Person): Promise<PersonalData> {
  const data: Record<string, unknown> = Object.fromEntries(Object.keys(holdings).map((name) => [name, []]));
  for (const [name, { table, where, hides = [], shows }] of holdingsOf(person)) {
    const columns = shows ?? `(to_jsonb(t) - '{${hides}}'::text[]) as row`;
    const time = ["created_at", "submitted_at"].map((column) => `to_jsonb(t) ->> '${column}'`);
    const { rows } = await db.query(`select ${columns} from ${table} t where ${where} order by ${time}`, [person]);
    data[name] = shows ? rows : rows.map(({ row }) => row);
  }
  return data as PersonalData;
}

/** Stands where a name was removed from what others wrote. */
const erased = "(erased)";

/**
 * Deletes everything on a person, in the caller's transaction. What others did or wrote stays, without the address and the
 * ids: a line of the log about a grant, a note in another contact. Returns the tables in which the address or an id can
 * still be found.
 */
export async function erasePerson(db: ClientBase, email: string): Promise<string[]> {
  const person = await findPerson(db, email);
  for (const [, { table, where, stays }] of holdingsOf(person))
    if (!stays) await db.query(`delete from ${table} where ${where}`, [person]);

  await removeNamesFrom(db, person, "public.contacts", { name: "text", company: "text", note: "text" });
  if (person.hasOwnAccounts) {
    for (const column of ["handled_by", "read_by", "note_by"])
      await db.query(`update public.contacts set ${column} = null where ${isOneOf("userIds", column)}`, [person]);
    // The address may be the one that another account wants to have.
    await db.query(
      `update auth.users set email_change = null, email_change_sent_at = null, email_change_confirmed_by = null
       where ${isOneOf("addresses", "email_change")}`,
      [person],
    );
    // Which of the hashes count the person can only be guessed, and all are over within 80 hours.
    await db.query("delete from auth.rate_limits");
    // A line from before a change of the address names the former one.
    await db.query(
      `update auth.audit_log_entries set payload = jsonb_set(payload, '{traits,user_email}', '"${erased}"')
       where ${isOneOf("userIds", "payload -> 'traits' ->> 'user_id'")} and payload -> 'traits' ? 'user_email'`,
      [person],
    );
    await removeNamesFrom(db, person, "auth.audit_log_entries", { payload: "jsonb" });
    await removeNamesFrom(db, person, "private.jobs", { payload: "jsonb", last_error: "text" });
  }
  return findTablesNaming(db, person);
}

/** Replaces the address and the ids in texts of others. */
async function removeNamesFrom(
  db: ClientBase,
  { pattern }: Person,
  table: string,
  columns: Readonly<Record<string, "text" | "jsonb">>,
) {
  const changes = Object.entries(columns).map(
    ([column, type]) => `${column} = regexp_replace(${column}::text, $1, $2, 'gi')::${type}`,
  );
  await db.query(
    `update ${table} set ${changes.join(", ")} where concat_ws(' ', ${Object.keys(columns).join(", ")}) ~* $1`,
    [pattern, erased],
  );
}

/** Searches every table of our schemas; a table that a later version adds is searched as well. */
async function findTablesNaming(db: ClientBase, person: Person): Promise<string[]> {
  const found: string[] = [];
  for (const name of await tablesOf(db, person)) {
    const { rowCount } = await db.query(`select from ${name} t where t::text ~* $1 limit 1`, [person.pattern]);
    if (rowCount) found.push(name);
  }
  return found;
}

/** Removes the deleted rows from the files, and their values from the statistics of tables with rows. Call it after the commit. */
export async function removeTraces(owner: Pool, person: Person) {
  await owner.query(`vacuum (analyze) ${(await tablesOf(owner, person)).join(", ")}`);
}

async function tablesOf(db: Pick<Pool | ClientBase, "query">, person: Person): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select oid::regclass::text as name from pg_catalog.pg_class
     where relkind = 'r' and relnamespace = any ($1::regnamespace[]) order by 1`,
    [["public", "private", ...(person.hasOwnAccounts ? ["auth"] : [])]],
  );
  return rows.map(({ name }) => name);
}
