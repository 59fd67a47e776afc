import { type QueryClient, useQuery } from "@tanstack/react-query";
import { LoadError, unwrap } from "../../../supabase/load-error";
import { secondFactorStep } from "../../../supabase/second-factor";
import { findUser, isAdmin, type User } from "../../../supabase/session";

const roleKey = ["role"];

/** The user, once the role has been checked, or why it was refused. */
export function useAdmin() {
  return useQuery<User, LoadError>({ queryKey: roleKey, enabled: false });
}

/** The id of the user. Where contacts are shown, the role has been checked. */
export function useUserId(): string {
  return useAdmin().data?.id ?? "";
}

/**
 * An account that may not read contacts gets an empty list from row-level security, not an error. So role and second
 * factor are checked first; an answer of the last `staleTime` milliseconds is good enough.
 */
export function requireAdmin(queries: QueryClient, staleTime: number): Promise<User> {
  return queries.fetchQuery({ queryKey: roleKey, queryFn: checkRole, staleTime });
}

/** Checks the role again after a contact was missing: this account may no longer read it. The inbox shows the outcome. */
export async function recheckRole(queries: QueryClient): Promise<void> {
  await requireAdmin(queries, 0).catch(() => {});
}

async function checkRole(): Promise<User> {
  const user = await requireUser();
  // In parallel, so that the second factor adds no wait.
  const [role, step] = await Promise.all([isAdmin(user.id), secondFactorStep()]);
  if (!unwrap(role)) throw new LoadError("not-admin", undefined, user.email);
  const needed = unwrap(step);
  if (needed !== "none") throw new LoadError(needed === "verify" ? "second-factor" : "set-up");
  return user;
}

async function requireUser(): Promise<User> {
  const user = unwrap(await findUser());
  if (!user) throw new LoadError("signed-out");
  return user;
}
