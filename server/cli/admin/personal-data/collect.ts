import type { ClientBase } from "pg";
import { deviceNameOf } from "#server/auth/sessions/device-name";
import { hashOf } from "#server/auth/tokens/secrets";
import { type Person, patternOf } from "./person.ts";

type Row = Record<string, unknown>;

/** What the database holds on a person, without secrets: no hash of a password, token or code. */
export interface PersonalData {
  contacts: Row[];
  account: Row | null;
  roles: Row[];
  sessions: Row[];
  known_devices: Row[];
  mailed_links: Row[];
  second_factors: Row[];
  recovery_codes: Row[];
  log: Row[];
  /** Lines about what others did, for example the grant of a role. */
  log_of_others: Row[];
  waiting_jobs: Row[];
  failed_logins: Row[];
  limits: Row[];
  /** Contacts of others that name the address, mostly in a note. Their text is not the person's. */
  named_in_contacts: Row[];
}

/** The columns of accounts that are secrets, or mean nothing to a person. */
export const withheldAccountColumns = ["encrypted_password", "identity_id", "aud", "role"] as const;

export async function collectPersonalData(db: ClientBase, person: Person): Promise<PersonalData> {
  const { addresses, userIds, contactIds, buckets, failureKeys } = person;
  const rowsOf = async (sql: string, ...values: unknown[]) => (await db.query<Row>(sql, values)).rows;
  const contacts = await rowsOf(
    "select to_jsonb(c) as row from public.contacts c where id = any ($1::uuid[]) order by submitted_at, id",
    contactIds,
  );
  const ofContacts = {
    contacts: contacts.map(({ row }) => row as Row),
    named_in_contacts: await rowsOf(
      `select id, case when note ~* $1 then 'note' when name ~* $1 then 'name' else 'company' end as named_in
       from public.contacts
       where id <> all ($2::uuid[]) and concat_ws(' ', note, name, company) ~* $1 order by submitted_at, id`,
      patternOf(person),
      contactIds,
    ),
  };
  if (!person.hasOwnAccounts) return { ...noAccount, ...ofContacts };

  const accounts = await rowsOf(
    "select to_jsonb(u) - $2::text[] as row from auth.users u where email = any ($1)",
    addresses,
    withheldAccountColumns,
  );
  return {
    ...ofContacts,
    account: (accounts[0]?.row as Row | undefined) ?? null,
    roles: await rowsOf("select role from public.user_roles where user_id = any ($1::uuid[])", userIds),
    sessions: (
      await rowsOf(
        `select id, created_at, refreshed_at, used_at, ip as address, user_agent, aal as level, amr as methods from auth.sessions
         where user_id = any ($1::uuid[]) order by created_at, id`,
        userIds,
      )
    ).map((session) => ({ ...session, device: deviceNameOf((session.user_agent as string | null) ?? undefined) })),
    known_devices: await rowsOf(
      "select kind, seen_at from auth.known_devices where user_id = any ($1::uuid[]) order by seen_at, kind",
      userIds,
    ),
    mailed_links: await rowsOf(
      `select purpose, created_at, expires_at, code_expires_at from auth.one_time_tokens
       where user_id = any ($1::uuid[]) order by created_at`,
      userIds,
    ),
    second_factors: await rowsOf(
      `select f.friendly_name as name, f.factor_type, f.status, f.created_at, f.updated_at, f.last_challenged_at,
         to_timestamp(f.last_used_step * 30) as last_used_at,
         (select coalesce(jsonb_agg(jsonb_build_object('created_at', c.created_at, 'used_at', c.verified_at, 'address', c.ip_address)
            order by c.created_at), '[]') from auth.mfa_challenges c where c.factor_id = f.id) as challenges
       from auth.mfa_factors f where f.user_id = any ($1::uuid[]) order by f.created_at, f.id`,
      userIds,
    ),
    recovery_codes: await rowsOf(
      `select created_at, count(*)::int as unused from auth.mfa_recovery_codes
       where user_id = any ($1::uuid[]) group by created_at order by created_at`,
      userIds,
    ),
    log: await rowsOf(
      `select created_at, payload ->> 'action' as action, payload -> 'traits' as details, ip_address
       from auth.audit_log_entries where ${isOwnLine} order by created_at, id`,
      userIds,
      addresses,
    ),
    log_of_others: await rowsOf(
      `select created_at, payload ->> 'action' as action from auth.audit_log_entries
       where not coalesce(${isOwnLine}, false) and payload::text ~* $3 order by created_at, id`,
      userIds,
      addresses,
      patternOf(person),
    ),
    waiting_jobs: await rowsOf(
      `select task, payload ->> 'kind' as kind, created_at, run_at, attempts, last_error from private.jobs
       where ${isJobAbout} order by id`,
      contactIds,
      addresses,
    ),
    failed_logins: await rowsOf(
      "select unnest(failed_at) as failed_at from auth.sign_in_failures where account_hash = any ($1)",
      failureKeys.map(hashOf),
    ),
    limits: await rowsOf(
      `select wanted.name as counts, l.full_at as until
       from unnest($1::bytea[], $2::text[]) wanted (hash, name) join auth.rate_limits l on l.key_hash = wanted.hash`,
      [...buckets.keys()].map(hashOf),
      [...buckets.values()],
    ),
  };
}

/** A line of the log about what the person did, which names no other account; $1 are ids, $2 addresses. */
export const isOwnLine = `(payload ->> 'actor_id' = any ($1::text[]) or payload ->> 'actor_username' = any ($2::text[]))
  and coalesce(payload -> 'traits' ->> 'user_id' = any ($1::text[]), true)`;

/** A job about a contact, or a mail to the address; $1 are ids of contacts, $2 addresses. */
export const isJobAbout = `(payload ->> 'contact_id' = any ($1::text[]) or payload ->> 'email' = any ($2::text[])
  or payload ->> 'to' = any ($2::text[]))`;

const noAccount = {
  account: null,
  roles: [],
  sessions: [],
  known_devices: [],
  mailed_links: [],
  second_factors: [],
  recovery_codes: [],
  log: [],
  log_of_others: [],
  waiting_jobs: [],
  failed_logins: [],
  limits: [],
};
