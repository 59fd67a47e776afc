import { queryOptions } from "@tanstack/react-query";
import { listAudit, listOwnSessions } from "../../supabase/own-account";
import { isAdmin } from "../../supabase/read-contacts";
import type { Result } from "../../supabase/result";
import { findUser } from "../../supabase/session";

/** A part of the page could not be loaded. */
export class LoadError extends Error {
  readonly serverMessage: string | undefined;

  constructor(message: string | undefined) {
    super(message ?? "not loaded");
    this.serverMessage = message;
  }
}

/** A person decides about a retry; being offline counts as a failure. Any other error is a bug. */
const manualRetry = {
  retry: false,
  networkMode: "always",
  throwOnError: (error: Error) => !(error instanceof LoadError),
} as const;

/** The user and their role; null without a session. */
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

/** Null on a hosted project, as the next. */
export const sessions = queryOptions({
  ...manualRetry,
  queryKey: ["sessions"],
  queryFn: async () => unwrap(await listOwnSessions()) ?? null,
});

export const audit = queryOptions({
  ...manualRetry,
  queryKey: ["audit"],
  queryFn: async () => unwrap(await listAudit()) ?? null,
});

function unwrap<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new LoadError(result.message);
  return result.value;
}
