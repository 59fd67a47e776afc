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
  last_challenged_at: string | null;
}

type Unread = "is_anonymous" | "password_set_after_confirmation" | "reauthentication_sent_at";

/** A row of `auth.users`, and its second factors. */
export interface User extends Omit<Rows["auth.users"], Unread> {
  /** Each account of this server has one. */
  email: string;
  raw_app_meta_data: Record<string, unknown>;
  /** The person's own data, without what the server adds, see `userMetadata`. */
  raw_user_meta_data: Record<string, unknown>;
  /** The oldest first; null if there is none. */
  factors: readonly UserFactor[] | null;
}

export const userColumns = `id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_sent_at, recovery_sent_at,
  invited_at, email_change, email_change_sent_at, email_change_confirmed_by,
  last_sign_in_at, raw_app_meta_data, raw_user_meta_data, identity_id, banned_until, created_at,
  updated_at, (select jsonb_agg(to_jsonb(f) - '{secret, user_id, session_id, last_used_step}'::text[] order by f.created_at, f.id)
   from auth.mfa_factors f where f.user_id = users.id and f.status = 'verified') as factors`;

export interface NewUser {
  email: string;
  /** Null for an invited person, who chooses the password later. */
  passwordHash: string | null;
  metadata: Record<string, unknown>;
  confirmedAt: Date | null;
}

/** Returns undefined if the address has an account already, even one that another transaction adds at the same time. */
export async function addUser(db: Database, user: NewUser, now: Date): Promise<User | undefined> {
  const { rows } = await db.query<User>(
    `insert into auth.users (email, encrypted_password, raw_user_meta_data, email_confirmed_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (email) do nothing
     returning ${userColumns}`,
    [user.email, user.passwordHash, user.metadata, user.confirmedAt, now],
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
export const lockUser = (db: ClientBase, id: string) => selectUser(db, "lock user", "id = $1 for update", id);

export const lockUserByEmail = (db: ClientBase, email: string) =>
  selectUser(db, "lock user by email", "email = $1 for update", email);

const idOfLink = "(select user_id from auth.one_time_tokens where token_hash = $1)";
export const lockUserOfLink = (db: ClientBase, tokenHash: Buffer) =>
  selectUser(db, "lock user of link", `id = ${idOfLink} for update`, tokenHash);

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

/** Changes the given columns and returns the changed account. */
export async function changeUser(
  db: Database,
  user: User,
  changes: Partial<Omit<User, "id" | "factors"> & { password_set_after_confirmation: boolean }>,
  now: Date,
): Promise<User> {
  const changed = { ...changes, updated_at: now };
  // Write only the changed columns: `user` may be older than the row, and must not overwrite the other columns.
  const assignments = Object.keys(changed).map((column, index) => `${column} = $${index + 2}`);
  await db.query(`update auth.users set ${assignments.join(", ")} where id = $1`, [user.id, ...Object.values(changed)]);
  return { ...user, ...changed };
}

export function isBanned(user: User, now: Date): boolean {
  return user.banned_until !== null && user.banned_until > now;
}

export function hasSecondFactor({ factors }: User): boolean {
  return factors !== null;
}
