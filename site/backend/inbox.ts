import type { SupabaseClient } from "@supabase/supabase-js";
import type { Contact } from "#rules/contact";
import { reachClient } from "./client";
import { renewSession } from "./session";
import { wordsIn } from "./words-in";

/** A contact as the database keeps it. */
export interface StoredContact extends Contact {
  id: string;
  /** RFC 3339. */
  submitted_at: string;
}

export interface ContactsPage {
  contacts: StoredContact[];
  /** Of all contacts there are, when the page was read. */
  total: number;
}

export type Reading<Value> = { ok: true; value: Value } | ReadingFailure;

/** Reading was refused for want of rights, or failed for another reason. */
export interface ReadingFailure {
  ok: false;
  refused: boolean;
  message: string | undefined;
}

const unreachable: ReadingFailure = { ok: false, refused: false, message: undefined };

/** Asks the database whether this user has the role 'admin' (specification, section 7). */
export async function isAdmin(userId: string): Promise<Reading<boolean>> {
  const reply = await ask((client) => client.rpc("has_role", { _user_id: userId, _role: "admin" }));
  if (!reply) return unreachable;
  return reply.error ? failure(reply) : { ok: true, value: reply.data === true };
}

/** Reads `length` contacts from `offset` on, newest first. */
export async function listContacts(offset: number, length: number): Promise<Reading<ContactsPage>> {
  const reply = await ask((client) =>
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

interface Reply {
  status: number;
  error: { code: string; message: string } | null;
}

/** Asks once more with a renewed token when the first was refused: a token may outlive its session. */
async function ask<Answered extends Reply>(question: (client: SupabaseClient) => PromiseLike<Answered>) {
  const client = await reachClient();
  if (!client) return undefined;
  const reply = await question(client);
  if (reply.status !== 401) return reply;
  return (await renewSession(client)) ? question(client) : reply;
}

/** Without a status nobody answered, and the browser's own words about that help nobody. */
function failure({ status, error }: Reply): ReadingFailure {
  const message = status > 0 ? wordsIn(error?.message) : undefined;
  return { ok: false, refused: status === 403 || error?.code === "42501", message };
}
