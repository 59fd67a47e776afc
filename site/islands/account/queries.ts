import { queryOptions } from "@tanstack/react-query";
import { listAudit, listOwnSessions, readOwnAccount } from "../../supabase/own-account";
import type { Result } from "../../supabase/result";
import { countRecoveryCodes, secondFactorStep } from "../../supabase/second-factor";
import { findUser, isAdmin } from "../../supabase/session";

/** Thrown when the backend refuses or does not answer a query of this page. */
export class LoadError extends Error {
  readonly serverMessage: string | undefined;

  constructor(message: string | undefined) {
    super(message ?? "not loaded");
    this.serverMessage = message;
  }
}

/** An error other than a `LoadError` is a bug and goes to the error boundary. */
const expectsLoadErrors = { throwOnError: (error: Error) => !(error instanceof LoadError) };

/**
 * The account itself, what the session still has to do with its second factor, and the number of recovery codes: null on
 * a hosted Supabase project, which has none.
 */
export const account = queryOptions({
  ...expectsLoadErrors,
  queryKey: ["account"],
  staleTime: 10_000,
  queryFn: async () => {
    const [read, asked] = await Promise.all([readOwnAccount(), secondFactorStep()]);
    const own = unwrap(read);
    const step = unwrap(asked);
    const mayHaveCodes = own.factors.length > 0 && step !== "verify";
    return { ...own, step, codesLeft: mayHaveCodes ? (unwrap(await countRecoveryCodes()) ?? null) : 0 };
  },
});

/** The email address of the user, and whether the user is an administrator; null if nobody is signed in. */
export const owner = queryOptions({
  ...expectsLoadErrors,
  queryKey: ["owner"],
  queryFn: async ({ client }) => {
    const user = unwrap(await findUser());
    if (!user) return null;
    // Loaded together, so that the sections do not move when the account has been read.
    const [role] = await Promise.all([isAdmin(user.id), client.prefetchQuery(account)]);
    return { email: user.email, isAdmin: unwrap(role) };
  },
});

/** The sessions of the account; null on a hosted Supabase project, which has no such call. */
export const sessions = queryOptions({
  ...expectsLoadErrors,
  queryKey: ["sessions"],
  queryFn: async () => unwrap(await listOwnSessions()) ?? null,
});

/** The audit log; null on a hosted Supabase project. */
export const audit = queryOptions({
  ...expectsLoadErrors,
  queryKey: ["audit"],
  queryFn: async () => unwrap(await listAudit()) ?? null,
});

function unwrap<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new LoadError(result.message);
  return result.value;
}
