import type { Contact } from "#validation/contact";
import { backendAddress, publicKey } from "./client";
import { readOne, type StoredContact } from "./read-contacts";
import { dataRequest } from "./request";
import { type Failure, type Result, unanswered } from "./result";
import { readTokens } from "./sign-out";
import { fetchWithTimeout } from "./timeout";

/** Ids stand in the address of a request, which has a maximum length. */
const idsPerRequest = 100;

/** What a change of several contacts has done. If one request fails, those before it have been carried out. */
export interface Changed {
  contacts: StoredContact[];
  failure?: Failure;
}

/** What a change sets: the state, or who takes care of the contact. */
export type Change = Partial<Pick<StoredContact, "state" | "handled_by">>;

/** Changes these contacts. A contact that differs from `from` meanwhile is left alone. */
export async function changeContacts(ids: readonly string[], to: Change, from: Change = {}): Promise<Changed> {
  const contacts: StoredContact[] = [];
  for (const chunk of chunksOf(ids)) {
    const changed = await dataRequest<StoredContact[]>((client) => {
      let change = client.from("contacts").update(to).in("id", chunk);
      for (const [column, value] of Object.entries(from))
        change = value === null ? change.is(column, null) : change.eq(column, value);
      return change.select();
    });
    if (!changed.ok) return { contacts, failure: changed };
    contacts.push(...changed.value);
  }
  return { contacts };
}

/** Deletes these contacts. Returns the failure if a request fails; those before it have been carried out. */
export async function deleteContacts(ids: readonly string[]): Promise<Failure | undefined> {
  for (const chunk of chunksOf(ids)) {
    const deleted = await dataRequest((client) => client.from("contacts").delete().in("id", chunk));
    if (!deleted.ok) return deleted;
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

/** Notes who has read it. The database writes who, and keeps the first one. The value is undefined if it was read before. */
export function markRead(id: string, reader: string): Promise<Result<StoredContact | undefined>> {
  return readOne((contacts) => contacts.update({ read_by: reader }).eq("id", id).is("read_by", null).select());
}

/** Corrects these fields. The database cleans them, and refuses them with the sentences of the contact form. */
export function correctContact(id: string, fields: Partial<Contact>): Promise<Result<StoredContact | undefined>> {
  return readOne((contacts) => contacts.update(fields).eq("id", id).select());
}

function chunksOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / idsPerRequest) }, (_, index) =>
    ids.slice(index * idsPerRequest, (index + 1) * idsPerRequest),
  );
}
