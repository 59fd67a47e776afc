import { type ContactsPage, isAdmin, listContacts, type StoredContact } from "../../supabase/inbox";
import type { RequestFailure } from "../../supabase/request";
import { findUser, type User } from "../../supabase/session";

export const pageLength = 50;

export type LoadErrorReason = "signed-out" | "not-admin" | "refused" | "failed";

/** Why there is no list to show. */
export class LoadError extends Error {
  readonly why: LoadErrorReason;
  /** The server's words for it, where it had any. */
  readonly words: string | undefined;
  /** The account that was refused. */
  readonly email: string | undefined;

  constructor(why: LoadErrorReason, { words, email }: { words?: string; email?: string } = {}) {
    super(words ?? why);
    this.why = why;
    this.words = words;
    this.email = email;
  }
}

/** Asks who this is, before anything is read: a list that is hidden from somebody reads as an empty one. */
export async function requireReader(): Promise<void> {
  await requireAdmin(await requireUser());
}

export async function readContacts(offset: number): Promise<ContactsPage> {
  const page = await listContacts(offset, pageLength);
  if (!page.ok) throw refusal(page);
  return page.value;
}

/** Each contact once: those that arrive between two pages push others over the edge, onto the next page. */
export function merge(pages: readonly ContactsPage[]): ContactsPage {
  const byId = new Map<string, StoredContact>();
  for (const contact of pages.flatMap((page) => page.contacts)) byId.set(contact.id, contact);
  return { contacts: [...byId.values()], total: pages.at(-1)?.total ?? 0 };
}

async function requireUser(): Promise<User> {
  const user = await findUser();
  if (!user.ok) throw new LoadError("failed", { words: user.message });
  if (!user.value) throw new LoadError("signed-out");
  return user.value;
}

async function requireAdmin({ id, email }: User) {
  const answer = await isAdmin(id);
  if (!answer.ok) throw refusal(answer);
  if (!answer.value) throw new LoadError("not-admin", { email });
}

function refusal({ refused, message }: RequestFailure): LoadError {
  return refused ? new LoadError("refused") : new LoadError("failed", { words: message });
}
