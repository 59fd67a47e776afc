import type { ClientBase } from "pg";
import { lockUserByEmail, type User } from "#server/auth/users";
import { CommandError } from "./command-error.ts";

export async function requireAccount(db: ClientBase, email: string): Promise<User> {
  const user = await lockUserByEmail(db, email.trim().toLowerCase());
  if (!user) throw noAccount(email);
  return user;
}

export function noAccount(email: string) {
  return new CommandError(`${email} has no account. To make one: npm run admin -- create ${email}`);
}
