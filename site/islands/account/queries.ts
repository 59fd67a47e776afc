import { queryOptions } from "@tanstack/react-query";
import { listAudit, listOwnSessions } from "../../supabase/own-account";
import { isAdmin } from "../../supabase/read-contacts";
import type { Result } from "../../supabase/result";
import { findUser } from "../../supabase/session";

/** Thrown when the backend refuses or does not answer a query of this page. */
export class LoadError extends Error {
  readonly serverMessage: string | undefined;

  constructor(message: string | undefined) {
    super(message ?? "not loaded");
    this.serverMessage = message;
  }
}

/**
 * Nothing is retried automatically: the page has a button for it. `networkMode` lets a query fail while the device is
 * offline, instead of waiting. An error other than a `LoadError` is a bug and goes to the error boundary.
 */
const manualRetry = {
  retry: false,
  networkMode: "always",
  throwOnError: (error: Error) => !(error instanceof LoadError),
} as const;

/** The email address of the user, and whether the user is an administrator; null if nobody is signed in. */
export const owner = queryOptions({
  ...manualRetry,
  queryKey: ["owner"],
  queryFn: async () => {
    const user = await findUser();
    if (!user.ok) throw new LoadError(user.message);
    if (!user.value) return null;
    return { email: user.value.email, isAdmin: unwrap(await isAdmin(user.value.id)) };
  },
});

/** The sessions of the account; null on a hosted Supabase project, which has no such call. */
export const sessions = queryOptions({
  ...manualRetry,
  queryKey: ["sessions"],
  queryFn: async () => unwrap(await listOwnSessions()) ?? null,
});

/** The audit log; null on a hosted Supabase project. */
export const audit = queryOptions({
  ...manualRetry,
  queryKey: ["audit"],
  queryFn: async () => unwrap(await listAudit()) ?? null,
});

function unwrap<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new LoadError(result.message);
  return result.value;
}
