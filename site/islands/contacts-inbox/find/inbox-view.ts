import { interests } from "#validation/contact";
import { searchLengthMax } from "../../../supabase/contact-search";
import type { ContactState, ContactsFilter, StoredContact } from "../../../supabase/read-contacts";
import { readTokens } from "../../../supabase/sign-out";
import type { Team } from "../data/team";

/** What the inbox shows, as its address says it (docs/specification.md#inbox-address). */
export interface InboxView {
  search: string;
  interest: StoredContact["interest"] | undefined;
  state: ViewState;
  /** The first and the last day, as local dates such as "2026-01-31". */
  from: string | undefined;
  until: string | undefined;
  /** Whose contacts: "me", "nobody", or the id of an administrator. */
  handler: string | undefined;
  /** The time at which the list begins, in the format of RFC 3339. Without it, the list begins with the newest. */
  at: string | undefined;
  /** The id of the contact that is open. */
  contact: string | undefined;
}

/** The views of the inbox, and the states of their contacts. */
const statesOf = {
  inbox: ["new", "handled"],
  new: ["new"],
  handled: ["handled"],
  archived: ["archived"],
  spam: ["spam"],
  all: ["new", "handled", "archived"],
  deleted: ["deleted"],
} satisfies Record<string, readonly ContactState[]>;

type ViewState = keyof typeof statesOf;
const viewStates = Object.keys(statesOf) as ViewState[];
/** The views that have a link, in its order. The others are parts of the first one, chosen with the filters, and "Deleted". */
export const mainViews = ["inbox", "archived", "spam", "all"] as const satisfies ViewState[];
export const inboxParts = ["inbox", "new", "handled"] as const satisfies ViewState[];

export const isInboxPart = (state: ViewState) => inboxParts.some((part) => part === state);

export const defaultView: InboxView = {
  search: "",
  interest: undefined,
  state: "inbox",
  from: undefined,
  until: undefined,
  handler: undefined,
  at: undefined,
  contact: undefined,
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-](0\d|1[0-5]):\d\d)$/;

/** Reads the query of the page's address. A value that makes no sense counts as absent. */
export function parseView(query: string): InboxView {
  const parameters = new URLSearchParams(query);
  const get = (name: keyof InboxView) => parameters.get(name) ?? undefined;
  return {
    search: cleanSearch(get("search") ?? ""),
    interest: interests.find((interest) => interest === get("interest")),
    state: viewStates.find((state) => state === get("state")) ?? defaultView.state,
    from: keepIf(isDate, get("from")),
    until: keepIf(isDate, get("until")),
    handler: keepIf((handler) => /^(me|nobody)$/.test(handler) || uuid.test(handler), get("handler")),
    at: keepIf(isTime, get("at")),
    contact: keepIf((id) => uuid.test(id), get("contact"))?.toLowerCase(),
  };
}

/** Writes the query of the page's address; empty if nothing differs from the view that a new administrator sees. */
export function formatView(view: InboxView): string {
  const parameters = new URLSearchParams();
  for (const name of ["search", "interest", "state", "from", "until", "handler", "at", "contact"] as const) {
    const value = view[name];
    if (value && value !== defaultView[name]) parameters.set(name, value);
  }
  const query = parameters.toString();
  return query && `?${query}`;
}

/** Removes what PostgreSQL refuses (control characters such as NUL, and halves of surrogate pairs) and cuts to the limit. */
export function cleanSearch(text: string): string {
  const cleaned = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim();
  return [...cleaned].slice(0, searchLengthMax).join("");
}

export function toFilter({ search, interest, state, from, until, handler }: InboxView): ContactsFilter {
  // Two dates in the wrong order mean the days between them.
  const [first, last] = from && until && from > until ? [until, from] : [from, until];
  return {
    search,
    interest,
    states: statesOf[state],
    from: first && startOfDay(first).toISOString(),
    until: last && startOfDay(last, 1).toISOString(),
    // A session without an id reads nothing.
    handledBy: handler === "me" ? (readTokens()?.user?.id ?? "nobody") : handler,
  };
}

/** Whether a contact is in the list of a filter after its state or its handler has changed. */
export function belongsTo(
  { states, handledBy }: ContactsFilter,
  { state, handled_by: handler }: StoredContact,
  { addressOf }: Pick<Team, "addressOf">,
): boolean {
  const isTheirs = !handledBy || (handledBy === "nobody" ? !addressOf(handler) : handler === handledBy);
  return isTheirs && states.includes(state);
}

/** Whether the list is narrowed by more than a state. */
export function isFiltered({ search, interest, from, until, handler }: InboxView): boolean {
  return Boolean(search || interest || from || until || handler);
}

/** The local date of a time, such as "2026-01-31". */
export function localDate(time: string | Date): string {
  const date = new Date(time);
  const part = (value: number, length = 2) => String(value).padStart(length, "0");
  return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** `Date` would read a date alone as midnight in UTC. */
function startOfDay(date: string, daysLater = 0): Date {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, day + daysLater);
}

/**
 * The days of the date fields. Years before 2000 do not count, because a field has years such as 0002 and 0202 while one is
 * being typed, and PostgreSQL refuses some days that JavaScript has.
 */
function isDate(text: string): boolean {
  return /^2\d{3}-\d\d-\d\d$/.test(text) && localDate(startOfDay(text).toISOString()) === text;
}

function isTime(text: string): boolean {
  return rfc3339.test(text) && isDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));
}

function keepIf(isValid: (text: string) => boolean, text: string | undefined): string | undefined {
  return text !== undefined && isValid(text) ? text : undefined;
}
