import { type ContactsPage, isAdmin, listContacts } from "../../supabase/read-contacts";
import type { Failure } from "../../supabase/result";
import { findUser, type User } from "../../supabase/session";
import { contactsPerPage } from "./pagination";

export type LoadErrorReason = "signed-out" | "not-admin" | "refused" | "failed";

/** Thrown when there is no list to show. `reason` says why. */
export class LoadError extends Error {
  readonly reason: LoadErrorReason;
  readonly serverMessage: string | undefined;
  /** The email address of the account that lacks the role. */
  readonly email: string | undefined;

  constructor(reason: LoadErrorReason, { message, email }: { message?: string; email?: string } = {}) {
    super(message ?? reason);
    this.reason = reason;
    this.serverMessage = message;
    this.email = email;
  }
}

/** Checks the role first: an account without it gets an empty list from row-level security, not an error. */
export async function requireAdmin(): Promise<void> {
  const { id, email } = await requireUser();
  const result = await isAdmin(id);
  if (!result.ok) throw toLoadError(result);
  if (!result.value) throw new LoadError("not-admin", { email });
}

export async function loadContacts(offset: number): Promise<ContactsPage> {
  const page = await listContacts(offset, contactsPerPage);
  if (!page.ok) throw toLoadError(page);
  return page.value;
}

async function requireUser(): Promise<User> {
  const user = await findUser();
  if (!user.ok) throw new LoadError("failed", { message: user.message });
  if (!user.value) throw new LoadError("signed-out");
  return user.value;
}

function toLoadError({ refused, message }: Failure): LoadError {
  return refused ? new LoadError("refused") : new LoadError("failed", { message });
}
