import type { QueryClient } from "@tanstack/react-query";
import {
  type ContactsFilter,
  type Cursor,
  contactsPerPage,
  type InboxNews,
  isAdmin,
  type Place,
  readContacts,
  readNews,
  type StoredContact,
} from "../../supabase/read-contacts";
import type { Failure, Result } from "../../supabase/result";
import { secondFactorStep } from "../../supabase/second-factor";
import { findUser, type User } from "../../supabase/session";
import { roleKey } from "./query-keys";

/** `second-factor`: the session has not used it yet; `set-up`: the account must have one. */
export type LoadErrorReason =
  | "signed-out"
  | "not-admin"
  | "second-factor"
  | "set-up"
  | "refused"
  | "unanswered"
  | "failed";

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

  /** Whether the list that was loaded before may stay on the screen. */
  get keepsList(): boolean {
    return this.reason === "failed" || this.reason === "unanswered";
  }
}

/** Up to 50 contacts, newest first. The cursors stay true if contacts are taken out of the page later. */
export interface ContactsPage {
  contacts: StoredContact[];
  /** The time of the first contact when the page was first read. */
  begin: string | undefined;
  /** Undefined where the list ends. */
  newer: Cursor | undefined;
  older: Cursor | undefined;
}

/** The id before all others: a list that begins at a time has all contacts of that time. */
const firstId = "00000000-0000-0000-0000-000000000000";

export function placeOf(start: string | undefined): Place {
  return start ? { cursor: { at: start, id: firstId } } : {};
}

export async function loadPage(filter: ContactsFilter, place: Place): Promise<ContactsPage> {
  const contacts = unwrap(await readContacts(filter, place));
  const isFull = contacts.length === contactsPerPage;
  const begin = contacts[0]?.submitted_at;
  const first = toCursor(contacts[0]) ?? place.cursor;
  const last = toCursor(contacts.at(-1)) ?? place.cursor;
  if (place.newer) return { contacts, begin, newer: isFull ? first : undefined, older: last };
  return { contacts, begin, newer: place.cursor && first, older: isFull ? last : undefined };
}

/**
 * Reads the first page of an open list again, from the contact at which it began: newer contacts must not move the list
 * under the reader's eyes. A list without a contact has only its place.
 */
export async function reloadFirstPage(
  filter: ContactsFilter,
  before: readonly ContactsPage[],
  place: Place,
): Promise<ContactsPage> {
  const begin = before.find((page) => page.begin)?.begin;
  const page = await loadPage(filter, begin ? placeOf(begin) : place);
  return { ...page, begin, newer: before[0]?.newer };
}

/**
 * An account that may not read contacts gets an empty list from row-level security, not an error. So role and second
 * factor are checked first; an answer of the last `staleTime` milliseconds is good enough.
 */
export function requireAdmin(queries: QueryClient, staleTime: number): Promise<User> {
  return queries.fetchQuery({ queryKey: roleKey, queryFn: checkRole, staleTime });
}

/** A contact that is missing may be one that this account may no longer read. The inbox shows what the check finds. */
export async function recheckRole(queries: QueryClient): Promise<void> {
  await requireAdmin(queries, 0).catch(() => {});
}

async function checkRole(): Promise<User> {
  const user = await requireUser();
  // At once, so that the second factor adds no wait.
  const [role, step] = await Promise.all([isAdmin(user.id), secondFactorStep()]);
  if (!unwrap(role)) throw new LoadError("not-admin", { email: user.email });
  const needed = unwrap(step);
  if (needed !== "none") throw new LoadError(needed === "verify" ? "second-factor" : "set-up");
  return user;
}

async function requireUser(): Promise<User> {
  const user = unwrap(await findUser());
  if (!user) throw new LoadError("signed-out");
  return user;
}

/** The data is null on a hosted project that has no news. */
export async function loadNews(): Promise<InboxNews | null> {
  return unwrap(await readNews());
}

/** The value, or the failure thrown as a `LoadError`. */
export function unwrap<Value>(result: Result<Value>): Value {
  if (!result.ok) throw toLoadError(result);
  return result.value;
}

function toLoadError({ refused, unanswered, message }: Failure): LoadError {
  if (refused) return new LoadError("refused");
  return unanswered ? new LoadError("unanswered") : new LoadError("failed", { message });
}

function toCursor(contact: StoredContact | undefined): Cursor | undefined {
  return contact && { at: contact.submitted_at, id: contact.id };
}
