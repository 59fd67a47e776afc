import type { Contact } from "#validation/contact";
import type { BackendClient } from "./backend-client";
import type { ContactRow } from "./contact-row";
import { parseSearch } from "./contact-search";
import { dataRequest, request } from "./request";
import { dataFailure, type Reply, type Result, unanswered } from "./result";

export type ContactState = ContactRow["state"];

export type StoredContact = Omit<ContactRow, "search_text">;

/** Which contacts a list has. `from` is the first time that belongs to it, `until` the first that does not. */
export interface ContactsFilter {
  search: string;
  states: readonly ContactState[];
  interest?: Contact["interest"] | undefined;
  from?: string | undefined;
  until?: string | undefined;
  /** The id of the administrator who takes care of them, or "nobody". */
  handledBy?: string | undefined;
}

/** What a request asks for; without states it has those of all, spam and deleted ones too. */
type Conditions = Partial<ContactsFilter> & { email?: string };

/** A place in the list: after the contact with this time and id. */
export interface Cursor {
  at: string;
  id: string;
}

/** What to read: the contacts after the cursor (older), or before it. Without a cursor: the newest contacts. */
export interface Place {
  cursor?: Cursor | undefined;
  newer?: boolean;
}

/**
 * Reads contacts of the list, newest first (docs/specification.md#read-contacts). A hosted project may return fewer than
 * `length`.
 */
export async function readContacts(
  conditions: Conditions,
  length: number,
  { cursor, newer = false }: Place,
): Promise<Result<StoredContact[]>> {
  const read = await dataRequest<StoredContact[]>((client) =>
    select(client, conditions, {}, (contacts) => {
      const sorted = contacts.order("submitted_at", { ascending: newer }).order("id", { ascending: !newer });
      if (!cursor) return sorted.limit(length);
      // The first condition follows from the second one. It lets PostgreSQL begin at the place in its index.
      const { at, id } = cursor;
      const from = newer ? sorted.gte("submitted_at", at) : sorted.lte("submitted_at", at);
      return from.or(newer ? `submitted_at.gt.${at},id.lt.${id}` : `submitted_at.lt.${at},id.gt.${id}`).limit(length);
    }),
  );
  if (read.ok && newer) read.value.reverse();
  return read;
}

/** Counts the contacts of a list. */
export async function countContacts(conditions: Conditions): Promise<Result<number>> {
  const reply = await request((client) =>
    select(client, conditions, { count: "exact" }, (contacts) => contacts.limit(0)),
  );
  if (!reply) return unanswered;
  return reply.error ? dataFailure(reply) : { ok: true, value: reply.count ?? 0 };
}

type Contacts = ReturnType<ReturnType<BackendClient["from"]>["select"]>;

/** Asks for contacts; `finish` adds their order and number. */
async function select(
  client: BackendClient,
  { search = "", states, interest, from, until, handledBy, email }: Conditions,
  options: { count?: "exact" },
  finish: (contacts: Contacts) => Contacts,
) {
  let contacts: Contacts = client.from("contacts").select("*", options);
  // With one state, only a comparison by `eq` uses the index of new contacts.
  if (states?.length === 1) contacts = contacts.eq("state", states[0]);
  else if (states) contacts = contacts.in("state", states);
  if (interest) contacts = contacts.eq("interest", interest);
  if (from) contacts = contacts.gte("submitted_at", from);
  if (until) contacts = contacts.lt("submitted_at", until);
  if (email) contacts = contacts.eq("email", email);
  for (const condition of parseSearch(search)) contacts = contacts.filter(...condition);
  if (handledBy === "nobody") {
    // The contacts of somebody who has lost the role are nobody's too.
    const team = await client.rpc("administrators");
    if (team.error) return team;
    const ids = team.data.map((administrator: Administrator) => administrator.user_id);
    contacts = contacts.or(`handled_by.is.null,handled_by.not.in.(${ids})`);
  } else if (handledBy) contacts = contacts.eq("handled_by", handledBy);
  return finish(contacts).overrideTypes<StoredContact[]>();
}

/** The value is undefined if there is no such contact. */
export function findContact(id: string): Promise<Result<StoredContact | undefined>> {
  return readOne((contacts) => contacts.select().eq("id", id));
}

/** Gives the contact that a call reads or changes; undefined if there is none. */
export async function readOne(
  call: (contacts: ReturnType<BackendClient["from"]>) => PromiseLike<Reply & { data: StoredContact[] | null }>,
): Promise<Result<StoredContact | undefined>> {
  const read = await dataRequest((client) => call(client.from("contacts")));
  return read.ok ? { ok: true, value: read.value[0] } : read;
}

/** Reads the contacts that have exactly this email address, newest first, also spam and deleted ones. */
export async function listContactsFrom(email: string): Promise<Result<StoredContact[]>> {
  const found: StoredContact[] = [];
  for (let cursor: Cursor | undefined; ; ) {
    const read = await readContacts({ email }, lengthOfPart, { cursor });
    if (!read.ok) return read;
    found.push(...read.value);
    const last = read.value.at(-1);
    if (!last || read.value.length < lengthOfPart) return { ok: true, value: found };
    cursor = { at: last.submitted_at, id: last.id };
  }
}

const lengthOfPart = 50;

/** What has happened in the inbox, in one row that is cheap enough to be read every ten seconds. */
export interface InboxNews {
  unread: number;
  /** The time of the newest contact that is neither spam nor deleted; null without one. */
  newest_at: string | null;
  /** Rises by one with each request that changes or removes contacts, but not when one arrives or is first read. */
  revision: number;
}

export function readNews(): Promise<Result<InboxNews>> {
  return dataRequest((client) => client.rpc("inbox_news").single<InboxNews>());
}

/** Somebody to whom contacts can be given. */
export interface Administrator {
  user_id: string;
  email: string;
}

export function listAdministrators(): Promise<Result<Administrator[]>> {
  return dataRequest((client) => client.rpc("administrators"));
}

/** How many contacts with one interest came in one week, without spam and deleted ones. */
export interface WeekCount {
  /** The date of the week's Monday, such as "2025-11-17". */
  week: string;
  interest: string;
  contacts: number;
}

/** Counts the contacts of the last 26 weeks, the oldest week first. Each week has a row for each interest. */
export function countByWeek(): Promise<Result<WeekCount[]>> {
  return dataRequest((client) => client.from("contacts_per_week").select("week, interest, contacts").order("week"));
}

export type SourceKind = "referrer" | "campaign" | "first_page";

export interface ContactSource {
  /** Empty for those that are not known. */
  source: string;
  visits: number;
  contacts: number;
  /** The first day that counts, as the reader's date, such as "2025-11-17". */
  since: string;
}

/** Counts visits and contacts by where they came from, those with most contacts first. `since` is a date of the reader. */
export function countBySource(kind: SourceKind, since: string): Promise<Result<ContactSource[]>> {
  const _zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return dataRequest((client) => client.rpc("contact_sources", { _by: kind, _since: since, _zone }));
}
