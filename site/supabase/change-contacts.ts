import type { SupabaseClient } from "@supabase/supabase-js";
import type { Contact } from "#validation/contact";
import { backendAddress, publicKey } from "./client";
import type { ContactState, StoredContact } from "./read-contacts";
import { request } from "./request";
import { dataFailure, type Failure, type Reply, type Result, unanswered } from "./result";
import { readTokens } from "./sign-out";
import { fetchWithTimeout } from "./timeout";

/** Ids stand in the address of a request, which has a maximum length. */
const idsPerRequest = 100;

/** What a change of several contacts has done. If one request fails, those before it have been carried out. */
export interface Changed {
  contacts: StoredContact[];
  failure?: Failure;
}

/** Changes the state of these contacts. With `from`, a contact that is in another state meanwhile is left alone. */
export async function changeState(ids: readonly string[], state: ContactState, from?: ContactState): Promise<Changed> {
  const contacts: StoredContact[] = [];
  for (const chunk of chunksOf(ids)) {
    const reply = await request((client) => {
      const change = client.from("contacts").update({ state }).in("id", chunk);
      return (from ? change.eq("state", from) : change).select();
    });
    if (!reply || reply.error) return { contacts, failure: reply ? dataFailure(reply) : unanswered };
    contacts.push(...reply.data);
  }
  return { contacts };
}

/** Deletes these contacts. Returns the failure if a request fails; those before it have been carried out. */
export async function deleteContacts(ids: readonly string[]): Promise<Failure | undefined> {
  for (const chunk of chunksOf(ids)) {
    const reply = await request((client) => client.from("contacts").delete().in("id", chunk));
    if (!reply || reply.error) return reply ? dataFailure(reply) : unanswered;
  }
  return undefined;
}

/**
 * Does the same while the page is being left. `keepalive` lets a request outlive the page; it must be sent before the
 * event handler returns, and the client library would first wait for its lock on the session.
 */
export async function deleteContactsOnLeaving(ids: readonly string[]): Promise<Failure | undefined> {
  const headers = { apikey: publicKey(), authorization: `Bearer ${readTokens()?.access_token ?? publicKey()}` };
  const sent = chunksOf(ids).map((chunk) => {
    const address = backendAddress(`/rest/v1/contacts?id=in.(${chunk.join(",")})`);
    return fetchWithTimeout(address, { method: "DELETE", keepalive: true, headers }).catch(() => undefined);
  });
  return (await Promise.all(sent)).every((response) => response?.ok) ? undefined : unanswered;
}

/**
 * Saves the note if it is still at the version that the person has read. The value is undefined if it is not, or if the
 * contact has been deleted.
 */
export function saveNote(id: string, note: string, version: number): Promise<Result<StoredContact | undefined>> {
  return readOne((contacts) => contacts.update({ note }).eq("id", id).eq("note_version", version).select());
}

/** Corrects these fields. The database cleans them, and refuses them with the sentences of the contact form. */
export function correctContact(id: string, fields: Partial<Contact>): Promise<Result<StoredContact | undefined>> {
  return readOne((contacts) => contacts.update(fields).eq("id", id).select());
}

/** The value is undefined if there is no such contact. */
export function findContact(id: string): Promise<Result<StoredContact | undefined>> {
  return readOne((contacts) => contacts.select().eq("id", id));
}

type Contacts = ReturnType<SupabaseClient["from"]>;

async function readOne(
  call: (contacts: Contacts) => PromiseLike<Reply & { data: StoredContact[] | null }>,
): Promise<Result<StoredContact | undefined>> {
  const reply = await request((client) => call(client.from("contacts")));
  if (!reply) return unanswered;
  return reply.error ? dataFailure(reply) : { ok: true, value: reply.data?.[0] };
}

/**
 * Reads the contacts that have exactly this email address, newest first, also those filed as spam. The address travels
 * in the body of a search, because addresses of requests stand in logs.
 */
export async function listContactsFrom(email: string): Promise<Result<StoredContact[]>> {
  const found: StoredContact[] = [];
  for (let last: StoredContact | undefined; ; ) {
    const cursor = last ? { _cursor_at: last.submitted_at, _cursor_id: last.id } : {};
    const reply = await request((client) =>
      client.rpc("search_contacts", { _search: email, _length: searchLength, ...cursor }),
    );
    if (!reply) return unanswered;
    if (reply.error) return dataFailure(reply);
    const page: StoredContact[] = reply.data;
    found.push(...page.filter((contact) => contact.email === email));
    last = page.at(-1);
    if (page.length < searchLength) return { ok: true, value: found };
  }
}

const searchLength = 50;

function chunksOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / idsPerRequest) }, (_, index) =>
    ids.slice(index * idsPerRequest, (index + 1) * idsPerRequest),
  );
}
