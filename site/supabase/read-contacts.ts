import type { Contact } from "#validation/contact";
import { request } from "./request";
import { dataFailure, type Result, unanswered } from "./result";

/** A contact as the database stores it. */
export interface StoredContact extends Contact {
  id: string;
  /** The time in the format of RFC 3339. */
  submitted_at: string;
  /** Why the contact was filed as spam; null if it was not. */
  spam_reason: string | null;
}

export interface ContactsPage {
  contacts: StoredContact[];
  /** The number of all contacts when the page was read. */
  total: number;
}

/** Checks whether this user has the role 'admin' (docs/specification.md#role-check). */
export async function isAdmin(userId: string): Promise<Result<boolean>> {
  const reply = await request((client) => client.rpc("has_role", { _user_id: userId, _role: "admin" }));
  if (!reply) return unanswered;
  return reply.error ? dataFailure(reply) : { ok: true, value: reply.data === true };
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
  if (!reply) return unanswered;
  if (reply.error) return dataFailure(reply);
  return { ok: true, value: { contacts: reply.data, total: reply.count ?? offset + reply.data.length } };
}

export interface Week {
  /** The date of the week's Monday, such as "2025-11-17". */
  week: string;
  contacts: number;
}

/** Counts the contacts that are not spam in each of the last twelve weeks, the oldest week first. */
export async function countByWeek(): Promise<Result<Week[]>> {
  const reply = await request((client) => client.from("contacts_per_week").select("week, contacts").order("week"));
  if (!reply) return unanswered;
  if (reply.error) return dataFailure(reply);
  // The view has a row for each interest.
  const sums = new Map<string, number>();
  for (const { week, contacts } of reply.data) sums.set(week, (sums.get(week) ?? 0) + contacts);
  return { ok: true, value: [...sums].map(([week, contacts]) => ({ week, contacts })).slice(-12) };
}
