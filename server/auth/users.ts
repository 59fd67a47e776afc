import type { ClientBase, Pool } from "pg";

type Database = Pick<Pool | ClientBase, "query">;

/** A row of `auth.users`. */
export interface User {
  id: string;
  aud: string;
  role: string;
  email: string;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  invited_at: Date | null;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Record<string, unknown>;
  /** What the person brought along at sign-up, and nothing that we know ourselves. */
  raw_user_meta_data: Record<string, unknown>;
  identity_id: string;
  banned_until: Date | null;
  created_at: Date;
  updated_at: Date;
}

const columns = `id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_sent_at, recovery_sent_at,
  invited_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data, identity_id, banned_until, created_at,
  updated_at`;

export interface NewUser {
  email: string;
  /** Null for somebody who is invited, and has to choose one yet. */
  passwordHash: string | null;
  metadata: Record<string, unknown>;
  confirmedAt: Date | null;
}

/** Undefined if somebody has this address already, even if they took it in this very moment. */
export async function addUser(db: Database, user: NewUser, now: Date): Promise<User | undefined> {
  const { rows } = await db.query<User>(
    `insert into auth.users (email, encrypted_password, raw_user_meta_data, email_confirmed_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (email) do nothing
     returning ${columns}`,
    [user.email, user.passwordHash, JSON.stringify(user.metadata), user.confirmedAt, now],
  );
  return rows[0];
}

export async function findUserByEmail(db: Database, email: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(`select ${columns} from auth.users where email = $1`, [email]);
  return rows[0];
}

/** The same, and nobody else may change the account until this transaction ends. */
export async function lockUserByEmail(db: ClientBase, email: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(`select ${columns} from auth.users where email = $1 for update`, [email]);
  return rows[0];
}

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(`select ${columns} from auth.users where id = $1`, [id]);
  return rows[0];
}

export async function lockUser(db: ClientBase, id: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(`select ${columns} from auth.users where id = $1 for update`, [id]);
  return rows[0];
}

/** Changes what is named and returns the account as it is now. */
export async function changeUser(
  db: Database,
  user: User,
  changes: Partial<
    Pick<
      User,
      "email_confirmed_at" | "confirmation_sent_at" | "last_sign_in_at" | "encrypted_password" | "raw_user_meta_data"
    >
  >,
  now: Date,
): Promise<User> {
  const named = { ...changes, updated_at: now };
  // Only these: whoever read the account before somebody else changed it must not write the rest back.
  const columns = Object.keys(named).map((column, index) => `${column} = $${index + 2}`);
  const values = Object.entries(named).map(([column, value]) =>
    column === "raw_user_meta_data" ? JSON.stringify(value) : value,
  );
  await db.query(`update auth.users set ${columns.join(", ")} where id = $1`, [user.id, ...values]);
  return { ...user, ...named };
}

export function isBanned(user: User, now: Date): boolean {
  return user.banned_until !== null && user.banned_until > now;
}
