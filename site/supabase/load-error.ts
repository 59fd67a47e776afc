import type { Failure, Result } from "./result";

/** `second-factor`: the session has not used it yet; `set-up`: the account must have one. */
export type LoadErrorReason =
  | "signed-out"
  | "not-admin"
  | "second-factor"
  | "set-up"
  | "refused"
  | "unanswered"
  | "failed";

/** Thrown by a query without data to show. `reason` says why. */
export class LoadError extends Error {
  readonly reason: LoadErrorReason;
  readonly serverMessage: string | undefined;
  /** The email address of the account that lacks the role. */
  readonly email: string | undefined;

  constructor(reason: LoadErrorReason, message?: string, email?: string) {
    super(message ?? reason);
    this.reason = reason;
    this.serverMessage = message;
    this.email = email;
  }

  /** Whether the list that was loaded before may stay on the screen. */
  get keepsList(): boolean {
    return this.reason === "failed" || this.reason === "unanswered";
  }
}

/** For queries: any other error is a bug, and goes to the error boundary. */
export const throwBugs = { throwOnError: (error: Error) => !(error instanceof LoadError) };

/** The value, or the failure thrown as a `LoadError`. */
export function unwrap<Value>(result: Result<Value>): Value {
  if (!result.ok) throw toLoadError(result);
  return result.value;
}

function toLoadError({ refused, unanswered, message }: Failure): LoadError {
  return new LoadError(refused ? "refused" : unanswered ? "unanswered" : "failed", message);
}
