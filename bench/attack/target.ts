import type pg from "pg";
import { createConfirmedAccount } from "#backend/auth/operator-accounts";
import { passwordHasher } from "#backend/auth/passwords/password-hasher";
import { inTransaction } from "#backend/database/transaction";
import { publicAddress, signIn } from "../load/requests.ts";

export interface Target {
  url: string;
  /** Connects as the owner. */
  database: pg.Pool;
  /** The process of the server. */
  pid: number;
}

export const password = "a long walk in the woods";
export const secretOfMember = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
export const emails = { admin: "admin@seeded.example", member: "member@seeded.example" } as const;
export type Name = keyof typeof emails;

let signIns = 0;
/** It is not the attacker who signs in here, so each sign-in comes from another network. */
export function signInAs(name: Name, { url }: Target) {
  return signIn(url, { email: emails[name], password }, publicAddress(60_000 + signIns++));
}

/** The accounts and contacts that no attack may change. */
export async function seedRows(database: pg.Pool) {
  const passwordHash = await passwordHasher().hash(password);
  await inTransaction(database, async (db) => {
    const admin = await createConfirmedAccount(db, { email: emails.admin, passwordHash });
    await db.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [admin.id]);
    // The attack has the member's password, but not the second factor.
    const member = await createConfirmedAccount(db, { email: emails.member, passwordHash });
    await db.query(
      `insert into auth.mfa_factors (user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
       values ($1, 'Phone', 'totp', 'verified', now(), now(), $2)`,
      [member.id, secretOfMember],
    );
    await db.query(
      "insert into auth.mfa_recovery_codes (user_id, code_hash, created_at) values ($1, sha256(random()::text::bytea), now())",
      [member.id],
    );
    await db.query(
      `insert into public.contacts (name, company, email, interest)
       select 'Visitor', 'Works', format('visitor-%s@seeded.example', n), 'consulting' from generate_series(1, 50) n`,
    );
    // The attack also sends bad requests with the admin's own token, who may change and delete all contacts. Without
    // this trigger, a changed contact would not show that someone else can do so.
    await db.query(
      `create function private.keep_seeded_contact() returns trigger language plpgsql set search_path = ''
         as $$ begin return null; end $$;
       create trigger "0 keep it" before update or delete on public.contacts for each row
         when (old.email like 'visitor-%@seeded.example' and auth.uid() = '${admin.id}')
         execute function private.keep_seeded_contact()`,
    );
  });
}

/**
 * Everything that no stranger may change, as one name and one hash each. Contacts only with the addresses of the seeded
 * ones: anyone may send a contact with any address, and some bad requests contain that of the admin.
 */
const untouchedRows = `
  select 'role of ' || user_id as name, md5(r::text) as hash from public.user_roles r
  union all
  select 'account ' || email, md5(row(id, encrypted_password, email_confirmed_at, banned_until, role, raw_app_meta_data)::text)
  from auth.users where email like '%@seeded.example'
  union all
  select 'second factor ' || id, md5(row(user_id, friendly_name, secret)::text) from auth.mfa_factors
  where status = 'verified'
  union all
  select 'recovery code ' || encode(code_hash, 'hex'), '' from auth.mfa_recovery_codes
  union all
  select 'rule of second factors', r.required::text from private.second_factor_rule r
  union all
  select 'contact ' || id, md5(c::text) from public.contacts c where email like 'visitor-%@seeded.example'
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

type Rows = ReadonlyMap<string, string>;

export async function readRows(database: pg.Pool): Promise<Rows> {
  const { rows } = await database.query<{ name: string; hash: string }>(untouchedRows);
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

/** The names of the rows that were added, changed or deleted. */
export function changedRows(before: Rows, after: Rows): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}
