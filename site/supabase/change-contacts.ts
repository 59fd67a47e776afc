import type { Contact } from "#validation/contact";
import { readOne, type StoredContact } from "./read-contacts";
import { dataRequest } from "./request";
import type { Failure, Result } from "./result";

/** Ids stand in the address of a request, which has a maximum length. */
const idsPerRequest = 100;

/** What a change of several contacts has done. If one request fails, those before it have been carried out. */
export interface Changed {
  contacts: StoredContact[];
  /** How many requests have changed something. Each raises the revision of the inbox's news by one. */
  revisions: number;
  failure?: Failure;
}

/** What a change sets: the state, or who takes care of the contact. */
export type Change = Partial<Pick<StoredContact, "state" | "handled_by">>;

/** Changes these contacts. A contact that differs from `from` meanwhile is left alone. */
export async function changeContacts(ids: readonly string[], to: Change, from: Change = {}): Promise<Changed> {
  const done: Changed = { contacts: [], revisions: 0 };
  for (let start = 0; start < ids.length; start += idsPerRequest) {
    const changed = await dataRequest<StoredContact[]>((client) => {
      let change = client
        .from("contacts")
        .update(to)
        .in("id", ids.slice(start, start + idsPerRequest));
      for (const [column, value] of Object.entries(from))
        change = value === null ? change.is(column, null) : change.eq(column, value);
      return change.select();
    });
    if (!changed.ok) return { ...done, failure: changed };
    done.contacts.push(...changed.value);
    if (changed.value.length > 0) done.revisions += 1;
  }
  return done;
}

/**
 * Saves the note if it is still at the version that the person has read. The value is undefined if it is not, or if the
 * contact has been removed.
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
