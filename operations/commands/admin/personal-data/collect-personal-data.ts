import type { ClientBase } from "pg";
import { hashOf } from "#backend/auth/tokens/random-tokens";
import { jobsOfPerson } from "#server/jobs/queue";
import { type Person, patternOf } from "./find-person.ts";

type Row = Record<string, unknown>;

interface Part {
  /** For the operator, who sees how much there is. */
  title: string;
  /** Returns the rows, or whole rows of a table as JSON in the one column `row`. */
  sql: string;
  /** Otherwise $1 are the ids of the account. */
  values?: (person: Person) => unknown[];
  /** Whether the table is also there if a hosted project has the accounts. */
  isHosted?: boolean;
}

/** The columns of accounts that are secrets, or mean nothing to a person. */
export const withheldAccountColumns = ["encrypted_password", "identity_id", "aud", "role"] as const;

/** A line of the log about what the person did, which names no other account; $1 are ids, $2 addresses. */
export const isOwnLine = `(payload ->> 'actor_id' = any ($1::text[]) or payload ->> 'actor_username' = any ($2::text[]))
  and coalesce(payload -> 'traits' ->> 'user_id' = any ($1::text[]), true)`;

/** What the database holds on a person, without secrets: no hash of a password, token or code. */
export const parts = {
  contacts: {
    title: "contacts",
    // Which administrators have worked on it is their data.
    sql: `select to_jsonb(c) - '{handled_by,read_by,note_by}'::text[] as row from public.contacts c
       where id = any ($1::uuid[]) order by submitted_at, id`,
    values: ({ contactIds }) => [contactIds],
    isHosted: true,
  },
  account: {
    title: "account",
    sql: "select to_jsonb(u) - $2::text[] as row from auth.users u where email = any ($1)",
    values: ({ addresses }) => [addresses, withheldAccountColumns],
  },
  roles: {
    title: "roles",
    sql: "select role from public.user_roles where user_id = any ($1::uuid[])",
  },
  /** What visitors wrote in them is not the administrator's. */
  handled_contacts: {
    title: "contacts that it takes care of, opened first or wrote the note of; they stay, without its id",
    sql: `select id, case when handled_by = any ($1) then handled_by_since end as handled_by_since,
         case when read_by = any ($1) then read_at end as read_at, case when note_by = any ($1) then note_at end as note_at
       from public.contacts where handled_by = any ($1::uuid[]) or read_by = any ($1) or note_by = any ($1)
       order by submitted_at, id`,
  },
  sessions: {
    title: "sessions",
    sql: `select id, created_at, refreshed_at, used_at, aal as level, amr as methods
       from auth.sessions where user_id = any ($1::uuid[]) order by created_at, id`,
  },
  mailed_links: {
    title: "mailed links that still work",
    sql: `select purpose, created_at, expires_at, code_expires_at from auth.one_time_tokens
       where user_id = any ($1::uuid[]) order by created_at`,
  },
  second_factors: {
    title: "second factors",
    sql: `select f.friendly_name as name, f.factor_type, f.status, f.created_at, f.updated_at, f.last_challenged_at,
         to_timestamp(f.last_used_step * 30) as last_used_at,
         (select coalesce(jsonb_agg(jsonb_build_object('created_at', c.created_at, 'used_at', c.verified_at, 'address', c.ip_address)
            order by c.created_at), '[]') from auth.mfa_challenges c where c.factor_id = f.id) as challenges
       from auth.mfa_factors f where f.user_id = any ($1::uuid[]) order by f.created_at, f.id`,
  },
  recovery_codes: {
    title: "sets of recovery codes",
    sql: `select created_at, count(*)::int as unused from auth.mfa_recovery_codes
       where user_id = any ($1::uuid[]) group by created_at order by created_at`,
  },
  log: {
    title: "log lines",
    sql: `select created_at, payload ->> 'action' as action, payload -> 'traits' as details, ip_address
       from auth.audit_log_entries where ${isOwnLine} order by created_at, id`,
    values: ({ userIds, addresses }) => [userIds, addresses],
  },
  /** Lines about what others did, for example the grant of a role. */
  log_of_others: {
    title: "log lines of others that name it, which stay without the name",
    sql: `select created_at, payload ->> 'action' as action from auth.audit_log_entries
       where not coalesce(${isOwnLine}, false) and payload::text ~* $3 order by created_at, id`,
    values: (person) => [person.userIds, person.addresses, patternOf(person)],
  },
  waiting_jobs: {
    title: "waiting emails and calls",
    sql: jobsOfPerson,
    values: ({ contactIds, addresses }) => [contactIds, addresses],
  },
  limits: {
    title: "rate-limit counters",
    sql: `select wanted.name as counts, l.full_at as until
       from unnest($1::bytea[], $2::text[]) wanted (hash, name) join auth.rate_limits l on l.key_hash = wanted.hash`,
    values: ({ buckets }) => [[...buckets.keys()].map(hashOf), [...buckets.values()]],
  },
  /** Contacts of others that name the address, mostly in a note. Their text is not the person's. */
  named_in_contacts: {
    title: "contacts of others that name it, which stay without the name",
    sql: `select id, case when note ~* $1 then 'note' when name ~* $1 then 'name' else 'company' end as named_in
       from public.contacts
       where id <> all ($2::uuid[]) and concat_ws(' ', note, name, company) ~* $1 order by submitted_at, id`,
    values: (person) => [patternOf(person), person.contactIds],
    isHosted: true,
  },
} satisfies Record<string, Part>;

export type PersonalData = Record<keyof typeof parts, Row[]>;

export async function collectPersonalData(db: ClientBase, person: Person): Promise<PersonalData> {
  const data: Record<string, Row[]> = {};
  for (const [name, { sql, values, isHosted }] of Object.entries<Part>(parts)) {
    const isThere = isHosted || person.hasOwnAccounts;
    const { rows } = isThere ? await db.query<Row>(sql, values?.(person) ?? [person.userIds]) : { rows: [] };
    data[name] = rows.map(({ row, ...columns }) => (row as Row | undefined) ?? columns);
  }
  return data as PersonalData;
}
