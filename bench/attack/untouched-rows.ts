import type pg from "pg";

/** The accounts and contacts that are there before the attack. No attack may change them. */
export const seededDomain = "seeded.example";

/**
 * The addresses of the seeded contacts, as a pattern of SQL. Not all contacts of the domain: anyone may send a contact
 * with any address, and some bad requests contain that of the admin.
 */
const seededContacts = `visitor-%@${seededDomain}`;

/**
 * Everything that no stranger may change, as one name and one hash each: roles, the passwords, confirmations and second
 * factors of the seeded accounts, the seeded contacts, the signing keys, and the rights in the database itself.
 */
const sql = `
  select 'role of ' || user_id as name, md5(r::text) as hash from public.user_roles r
  union all
  select 'account ' || email, md5(row(id, encrypted_password, email_confirmed_at, banned_until, role, raw_app_meta_data)::text)
  from auth.users where email like '%@${seededDomain}'
  union all
  select 'second factor ' || id, md5(row(user_id, friendly_name, secret)::text) from auth.mfa_factors
  where status = 'verified'
  union all
  select 'recovery code ' || encode(code_hash, 'hex'), '' from auth.mfa_recovery_codes
  union all
  select 'rule of second factors', r.required::text from private.second_factor_rule r
  union all
  select 'contact ' || id, md5(c::text) from public.contacts c where email like '${seededContacts}'
  union all
  select 'signing key ' || kid, md5(private_jwk::text) from auth.signing_keys
  union all
  select 'database role ' || rolname, md5(row(rolsuper, rolbypassrls, rolcanlogin, rolcreaterole)::text) from pg_roles
  union all
  select 'relation ' || oid::regclass, md5(row(relacl, relrowsecurity, relowner)::text)
  from pg_class where relnamespace in ('public'::regnamespace, 'auth'::regnamespace, 'private'::regnamespace) and relkind <> 't'
  union all
  select 'policy ' || policyname, md5(p::text) from pg_policies p
  union all
  select 'function ' || oid::regprocedure, md5(row(proacl, prosrc)::text)
  from pg_proc where pronamespace in ('public'::regnamespace, 'auth'::regnamespace, 'private'::regnamespace)`;

export type Rows = ReadonlyMap<string, string>;

export async function readRows(database: pg.Pool): Promise<Rows> {
  const { rows } = await database.query<{ name: string; hash: string }>(sql);
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

/** The names of the rows that were added, changed or deleted. */
export function changedRows(before: Rows, after: Rows): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}

/** The contacts that the attack stored, one text each. */
export async function readStoredContacts(database: pg.Pool): Promise<string[]> {
  const { rows } = await database.query<{ text: string }>(
    `select concat_ws(' ', name, company, email) as text from public.contacts where email not like '${seededContacts}'`,
  );
  return rows.map(({ text }) => text);
}
