import { domainToUnicode } from "node:url";
import type { ClientBase } from "pg";
import { limitedMails } from "#backend/auth/account-mail/mail-limits";
import { normalizeEmail } from "#backend/auth/normalize-email";
import { purposes } from "#backend/auth/tokens/one-time-tokens";
import { bucketsOfPerson, limitSecondsMax } from "#backend/limits/limits";
import { CommandError } from "#operations/commands/report-problem";
import { invisible } from "#validation/contact";
import { hasOwnAccounts } from "../../open-for-command.ts";

/** What identifies a person in the database. */
export interface Person {
  /** The email address, as accounts store it. */
  address: string;
  /** The forms of the address: accounts have the domain in ASCII, contacts in letters. */
  addresses: string[];
  /** The ids of the account, and of earlier accounts of the address, which log lines still name. */
  userIds: string[];
  contactIds: string[];
  /** Whether the accounts are this server's, and not those of a hosted project. */
  hasOwnAccounts: boolean;
  /** The buckets of limits that count the person, each with words for the person. The table holds only their hashes. */
  buckets: ReadonlyMap<string, string>;
}

export async function findPerson(db: ClientBase, email: string): Promise<Person> {
  const address = inOneForm(email);
  // The address is searched for in the texts of others, so it must not be a part of a word.
  if (!/^[^@\s]+@[^@\s]+$/.test(address)) throw new CommandError(`${email} is not an email address.`);
  const similar = "select id, email from public.contacts where email = $1 or email ~ '[^!-~]|xn--'";
  const { rows } = await db.query<{ id: string; email: string }>(similar, [address]);
  const contacts = rows.filter((contact) => inOneForm(contact.email) === address);
  const inLetters = address.replace(/(?<=@).*xn--.*/, (domain) => domainToUnicode(domain) || domain);
  const addresses = [...new Set([address, inLetters, ...contacts.map((contact) => contact.email)])];
  const contactIds = contacts.map(({ id }) => id);
  const person = { address, addresses, contactIds };
  if (!(await hasOwnAccounts(db))) {
    return { ...person, hasOwnAccounts: false, userIds: [], buckets: new Map() };
  }

  const userIds = await ids(
    db,
    `select id::text from auth.users where email = any ($1)
     union select payload ->> 'actor_id' from auth.audit_log_entries where payload ->> 'actor_username' = any ($1)
     union select payload -> 'traits' ->> 'user_id' from auth.audit_log_entries
       where payload -> 'traits' ->> 'user_email' = any ($1)`,
    addresses,
  );
  const networks = await ids(
    db,
    `select distinct ip_address as id from auth.audit_log_entries
     where created_at > now() - make_interval(secs => ${limitSecondsMax}) and ip_address <> ''`,
  );
  const codes = await ids(
    db,
    "select code_hash as id from auth.one_time_tokens where user_id = any ($1::uuid[])",
    userIds,
  );
  return {
    ...person,
    hasOwnAccounts: true,
    userIds,
    buckets: bucketsOfPerson({
      email: [address],
      user: userIds,
      ip: networks,
      code: ["none", ...codes],
      purpose: purposes,
      mail: limitedMails,
    }),
  };
}

/** As accounts have it. Contacts from before a rule, which a restore of contacts brings, may have it in any other. */
function inOneForm(email: string): string {
  return normalizeEmail(email.replace(new RegExp(`[${invisible}]`, "gu"), ""));
}

async function ids(db: ClientBase, sql: string, values?: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string | null }>(sql, values && [values]);
  return rows.flatMap(({ id }) => id ?? []);
}

/** A regular expression of PostgreSQL that finds the address or an id of the account, but no part of a longer address. */
export function patternOf({ addresses, userIds }: Person): string {
  const names = [...addresses, ...userIds].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return `(?<![\\w.+%-])(${names.join("|")})(?![\\w-]|\\.\\w)`;
}
