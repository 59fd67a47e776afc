import type { ContactState, StoredContact } from "../../supabase/read-contacts";

/** The states, by id, in which contacts are shown while the server has not answered; "deleted" ones are not shown. */
export type PendingChange = ReadonlyMap<string, ContactState | "deleted">;

/** The contacts as they will be when the pending changes are carried out. */
export function withPending(
  contacts: readonly StoredContact[],
  pending: readonly PendingChange[],
): readonly StoredContact[] {
  if (pending.length === 0) return contacts;
  return contacts.flatMap((contact) => {
    const state = pending.reduce(
      (state: ContactState | "deleted", change) => change.get(contact.id) ?? state,
      contact.state,
    );
    if (state === "deleted") return [];
    return state === contact.state ? contact : { ...contact, state };
  });
}
