import type { Contact } from "#validation/contact";
import { failure, type Result, request, unreachable } from "./request";

/** A contact as the database keeps it. */
export interface StoredContact extends Contact {
  id: string;
  /** RFC 3339. */
  submitted_at: string;
  /** Why it was filed as spam; null for the others. */
  spam_reason: string | null;
}

export interface ContactsPage {
  contacts: StoredContact[];
  /** Of all contacts there are, when the page was read. */
  total: number;
}

/** Asks the database whether this user has the role 'admin' (specification, section 7). */
export async function isAdmin(userId: string): Promise<Result<boolean>> {
  const reply = await request((client) => client.rpc("has_role", { _user_id: userId, _role: "admin" }));
  if (!reply) return unreachable;
  return reply.error ? failure(reply) : { ok: true, value: reply.data === true };
}

/** Reads `length` contacts from `offset` on, newest first. */
export async function listContacts(offset: number, length: number): Promise<Result<ContactsPage>> {
  const reply = await request((client) =>
    client
      .from("contacts")
      .select("*", { count: "exact" })
      .order("submitted_at", { ascending: false })
      .order("id")
      .range(offset, offset + length - 1),
  );
  if (!reply) return unreachable;
  if (reply.error) return failure(reply);
  return { ok: true, value: { contacts: reply.data, total: reply.count ?? offset + reply.data.length } };
}

export interface Week {
  /** Its Monday, as in "2025-11-17". */
  week: string;
  contacts: number;
}

/** How many contacts that are no spam came in each of the last twelve weeks, the oldest first. */
export async function countByWeek(): Promise<Result<Week[]>> {
  const reply = await request((client) => client.from("contacts_per_week").select("week, contacts").order("week"));
  if (!reply) return unreachable;
  return reply.error ? failure(reply) : { ok: true, value: reply.data };
}
