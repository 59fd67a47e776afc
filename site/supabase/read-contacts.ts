import type { SupabaseClient } from "@supabase/supabase-js";
import type { Contact } from "#validation/contact";
import type { ContactRow } from "./contact-row";
import { dataRequest } from "./request";
import type { Failure, Reply, Result } from "./result";

export type ContactState = ContactRow["state"];

/** A hosted project may lack these columns, which are empty where the source is not known. */
type SourceColumns = Pick<ContactRow, SourceKind>;

export interface StoredContact extends Omit<ContactRow, "search_text" | SourceKind>, Partial<SourceColumns> {}

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
  filter: ContactsFilter,
  length: number,
  place: Place,
): Promise<Result<StoredContact[]>> {
  const read = await dataRequest<StoredContact[]>((client) =>
    (filter.search || filter.handledBy ? searchContacts : selectContacts)(client, filter, length, place),
  );
  if (read.ok && place.newer) read.value.reverse();
  return read;
}

/** Names and addresses travel in the body of a POST, because proxies and servers log the address of a request. */
function searchContacts(
  client: SupabaseClient,
  filter: ContactsFilter,
  length: number,
  { cursor, newer = false }: Place,
) {
  return client.rpc("search_contacts", {
    ...searchArguments(filter),
    _cursor_at: cursor?.at ?? null,
    _cursor_id: cursor?.id ?? null,
    _newer: newer,
    _length: length,
  });
}

function selectContacts(
  client: SupabaseClient,
  filter: ContactsFilter,
  length: number,
  { cursor, newer = false }: Place,
) {
  const [state, ...others] = filter.states;
  const all = client.from("contacts").select("*");
  // With one state, only a comparison by `eq` uses the index of new contacts.
  let query = state && others.length === 0 ? all.eq("state", state) : all.in("state", filter.states);
  if (filter.interest) query = query.eq("interest", filter.interest);
  if (filter.from) query = query.gte("submitted_at", filter.from);
  if (filter.until) query = query.lt("submitted_at", filter.until);
  if (cursor) {
    // The first condition follows from the second one. It lets PostgreSQL begin at the place in its index.
    const { at, id } = cursor;
    query = newer
      ? query.gte("submitted_at", at).or(`submitted_at.gt.${at},id.lt.${id}`)
      : query.lte("submitted_at", at).or(`submitted_at.lt.${at},id.gt.${id}`);
  }
  return query.order("submitted_at", { ascending: newer }).order("id", { ascending: !newer }).limit(length);
}

/** The value is undefined if there is no such contact. */
export function findContact(id: string): Promise<Result<StoredContact | undefined>> {
  return readOne((contacts) => contacts.select().eq("id", id));
}

/** Gives the contact that a call reads or changes; undefined if there is none. */
export async function readOne(
  call: (contacts: ReturnType<SupabaseClient["from"]>) => PromiseLike<Reply & { data: StoredContact[] | null }>,
): Promise<Result<StoredContact | undefined>> {
  const read = await dataRequest((client) => call(client.from("contacts")));
  return read.ok ? { ok: true, value: read.value[0] } : read;
}

/**
 * Reads the contacts that have exactly this email address, newest first, also those filed as spam. The address travels
 * in the body of a search, because addresses of requests stand in logs.
 */
export async function listContactsFrom(email: string): Promise<Result<StoredContact[]>> {
  const found: StoredContact[] = [];
  for (let last: StoredContact | undefined; ; ) {
    const cursor = last ? { _cursor_at: last.submitted_at, _cursor_id: last.id } : {};
    const read = await dataRequest<StoredContact[]>((client) =>
      client.rpc("search_contacts", { _search: email, _length: searchLength, ...cursor }),
    );
    if (!read.ok) return read;
    const page = read.value;
    found.push(...page.filter((contact) => contact.email === email));
    last = page.at(-1);
    if (page.length < searchLength) return { ok: true, value: found };
  }
}

const searchLength = 50;

/**
 * Counts the contacts of a list; many of them are estimated, unless `exact` is set. The value is null on a hosted project
 * that lacks the function.
 */
export async function countContacts(
  filter: ContactsFilter,
  { exact = false } = {},
): Promise<Result<ContactsCount | null>> {
  const counted = await dataRequest((client) =>
    client.rpc("count_contacts", { ...searchArguments(filter), _exact: exact }).maybeSingle<ContactsCount>(),
  );
  return counted.ok ? counted : nullIfMissing(counted);
}

interface ContactsCount {
  contacts: number;
  is_estimate: boolean;
}

function searchArguments({ search, states, interest, from, until, handledBy }: ContactsFilter) {
  return {
    _search: search,
    _states: states,
    _interest: interest ?? null,
    _from: from ?? null,
    _until: until ?? null,
    ...(handledBy && { _handled_by: handledBy }),
  };
}

/** What has happened in the inbox, in one row that is cheap enough to be read every ten seconds. */
export interface InboxNews {
  unread: number;
  unread_is_estimate: boolean;
  /** The time of the newest contact that is not spam; null without contacts. */
  newest_at: string | null;
  /** Changes when a contact is changed or deleted, but not when one arrives. */
  revision: number;
}

/** The value is null on a hosted project that lacks the function. */
export async function readNews(): Promise<Result<InboxNews | null>> {
  const news = await dataRequest((client) => client.rpc("inbox_news").maybeSingle<InboxNews>());
  return news.ok ? news : nullIfMissing(news);
}

/** Somebody to whom contacts can be given. */
export interface Administrator {
  user_id: string;
  email: string;
}

/** The value is null on a hosted project that lacks the function. */
export async function listAdministrators(): Promise<Result<Administrator[] | null>> {
  const listed = await dataRequest<Administrator[]>((client) => client.rpc("administrators"));
  return listed.ok ? listed : nullIfMissing(listed);
}

function nullIfMissing(failure: Failure): Result<null> {
  return failure.missing ? { ok: true, value: null } : failure;
}

/** How many contacts with one interest came in one week, without spam. */
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
  /** The first day that counts, such as "2025-11-17". */
  since: string;
}

/** Counts visits and contacts of the last weeks by where they came from, those with most contacts first. */
export function countBySource(kind: SourceKind, weeks: number): Promise<Result<ContactSource[]>> {
  return dataRequest((client) => client.rpc("contact_sources", { _by: kind, _weeks: weeks }));
}
