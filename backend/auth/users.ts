import type { ClientBase } from "pg";
import type { Rows } from "#backend/database/rows";
import type { Database } from "#backend/database/transaction";

/** A verified second factor, without its secret. The times are texts, as PostgreSQL writes them in JSON. */
export interface UserFactor {
  id: string;
  friendly_name: string;
  factor_type: string;
  status: "verified";
  created_at: string;
  updated_at: string;
}

/** A row of `auth.users`, and its second factors. */
export interface User extends Omit<Rows["auth.users"], "password_set_after_confirmation"> {
  /** Each account of this server has one. */
  email: string;
  raw_app_meta_data: Record<string, unknown>;
  /** The person's own data, without what the server adds, see `userMetadata`. */
  raw_user_meta_data: Record<string, unknown>;
  is_banned: boolean;
  /** The oldest first; null if there is none. */
  factors: readonly UserFactor[] | null;
}

export const userColumns = `id, aud, role, email, encrypted_password, email_confirmed_at, ${sentAt("confirmation_sent_at")},
  ${sentAt("recovery_sent_at")}, invited_at, email_change, ${sentAt("email_change_sent_at")}, email_change_confirmed_by,
  last_sign_in_at, raw_app_meta_data, raw_user_meta_data, banned_until, created_at, updated_at,
  coalesce(banned_until > now(), false) as is_banned,
  (select jsonb_agg(to_jsonb(f) - '{secret, user_id, session_id, last_used_step}'::text[] order by f.created_at, f.id)
   from auth.mfa_factors f where f.user_id = users.id and f.status = 'verified') as factors`;

/** A time in the future was stored while a clock was wrong. It would hold back all mails until then. */
function sentAt(column: string): string {
  return `case when ${column} < now() + interval '1 minute' then ${column} end as ${column}`;
}

export interface NewUser {
  email: string;
  /** Null for an invited person, who chooses the password later. */
  passwordHash: string | null;
  metadata: Record<string, unknown>;
  isConfirmed: boolean;
}

/** Returns undefined if the address has an account already, even one that another transaction adds at the same time. */
export async function addUser(db: Database, user: NewUser): Promise<User | undefined> {
  const { rows } = await db.query<User>(
    `insert into auth.users (email, encrypted_password, raw_user_meta_data, email_confirmed_at, created_at, updated_at)
     values ($1, $2, $3, case when $4 then now() end, now(), now())
     on conflict (email) do nothing
     returning ${userColumns}`,
    [user.email, user.passwordHash, user.metadata, user.isConfirmed],
  );
  return rows[0];
}

/** Deletes an account that never confirmed its address: a stranger may have made it, and would know its password. */
export async function deleteUnconfirmedUser(db: Database, email: string) {
  await db.query("delete from auth.users where email = $1 and email_confirmed_at is null", [email]);
}

export const findUser = (db: Database, id: string) => selectUser(db, "user by id", "id = $1", id);

export const findUserByEmail = (db: Database, email: string) => selectUser(db, "user by email", "email = $1", email);

/** Locks the account until the transaction ends. If this waits for the lock, `factors` are as they were before. */
export const lockUserByEmail = (db: ClientBase, email: string) =>
  selectUser(db, "lock user by email", "email = $1 for update", email);

const idOfToken = "(select user_id from auth.one_time_tokens where token_hash = $1)";
export const lockUserOfToken = (db: ClientBase, tokenHash: Buffer) =>
  selectUser(db, "lock user of token", `id = ${idOfToken} for update`, tokenHash);

async function selectUser(db: Database, name: string, condition: string, value: string | Buffer) {
  const text = `select ${userColumns} from auth.users where ${condition}`;
  const { rows } = await db.query<User>({ name, text, values: [value] });
  return rows[0];
}

/** The columns of an account without a pending change of its address. */
export const noEmailChange = {
  email_change: null,
  email_change_sent_at: null,
  email_change_confirmed_by: null,
} as const;

type Changes = Partial<Omit<User, "id" | "factors" | "is_banned"> & { password_set_after_confirmation: boolean }>;
type TimeColumn = "email_confirmed_at" | "invited_at" | "email_change_sent_at";

/** Changes the given columns, sets those of `times` to the present time, and returns the changed account. */
export async function changeUser(db: Database, { id }: User, changes: Changes, ...times: TimeColumn[]): Promise<User> {
  // Only the changed columns: the account may have been read before another change, and must not overwrite it.
  const assignments = Object.keys(changes).map((column, index) => `${column} = $${index + 2}`);
  for (const column of [...times, "updated_at"]) assignments.push(`${column} = now()`);
  const { rows } = await db.query<User>(
    `update auth.users set ${assignments.join(", ")} where id = $1 returning ${userColumns}`,
    [id, ...Object.values(changes)],
  );
  const [changed] = rows;
  if (!changed) throw new Error("The account to be changed was deleted.");
  return changed;
}

/** The time to set for an account whose address a mail has just confirmed. */
export function unlessConfirmed({ email_confirmed_at }: User) {
  return email_confirmed_at ? [] : (["email_confirmed_at"] as const);
}

export function hasSecondFactor({ factors }: User): boolean {
  return factors !== null;
}
