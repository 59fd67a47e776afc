import { type MouseEvent, type ReactNode, useSyncExternalStore } from "react";
import { defaultView, formatView, type InboxView, parseView } from "./inbox-view";

/** The view in the address of the page, and where its list begins. */
interface InboxLocation {
  view: InboxView;
  /**
   * The time at which the list was opened. Paging moves `view.at` along, so that a reload finds the place again, but the
   * open list stays as it is.
   */
  start: string | undefined;
  /** The places of this list that addresses have named: Back to one of them keeps the list. */
  places: readonly (string | undefined)[];
  /** Counts how often the reader has asked for the newest contacts. Each time, the list is read from its beginning. */
  reading: number;
}

const prerendered: InboxLocation = { view: defaultView, start: undefined, places: [], reading: 0 };
const listeners = new Set<() => void>();
let current: InboxLocation | undefined;

/** The view of this page. Every component that uses it gets the same one. */
export function useInboxView(): InboxLocation {
  return useSyncExternalStore(subscribe, read, () => prerendered);
}

/**
 * Changes parts of the view. The old view stays in the history for Back, unless `replace` says otherwise. A change of the
 * filters begins the list at the newest contact again.
 */
export function changeView(changes: Partial<InboxView>, { replace = false } = {}) {
  const { view } = read();
  const isSameList = Object.keys(changes).every((name) => name === "contact" || name === "at");
  const next = { ...view, ...(isSameList ? {} : { at: undefined, contact: undefined }), ...changes };
  if (formatView(next) === formatView(view)) return;
  write(next, replace);
  publish(locate(next));
}

/** Writes into the address where the reader is in the list. The list itself stays as it is. */
export function markPlace(at: string | undefined) {
  const location = read();
  const view = { ...location.view, at };
  write(view, true);
  publish({ ...location, view, places: [...location.places, at] });
}

/** Begins the list at the newest contact, also if it began there before. */
export function showNewest() {
  markPlace(undefined);
  const { view, reading } = read();
  publish({ view, start: undefined, places: [undefined], reading: reading + 1 });
}

/** The address of the inbox with this view, for links. */
export function addressOf(view: InboxView): string {
  return `/admin/contacts${formatView(view)}`;
}

/** Changes the view for a click on a link. With a modifier key, the link opens in another tab, as every link does. */
export function followInPage(event: MouseEvent, changes: Partial<InboxView>) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  changeView(changes);
}

/** A link to a contact's own address. A plain click opens the contact in this page. */
export function ContactLink({ id, children }: { id: string; children: ReactNode }) {
  const { view } = useInboxView();
  return (
    <a
      href={addressOf({ ...view, contact: id })}
      aria-current={view.contact === id ? "true" : undefined}
      onClick={(event) => followInPage(event, { contact: id })}
    >
      {children}
    </a>
  );
}

function write(view: InboxView, replace: boolean) {
  const address = `${window.location.pathname}${formatView(view)}`;
  if (replace) window.history.replaceState(null, "", address);
  else window.history.pushState(null, "", address);
}

function publish(next: InboxLocation) {
  current = next;
  for (const listener of listeners) listener();
}

/** A list that differs only in the open contact, or in the place up to which it was read, stays as it is. */
function locate(view: InboxView): InboxLocation {
  if (current && listOf(view) === listOf(current.view) && current.places.includes(view.at)) return { ...current, view };
  return { view, start: view.at, places: [view.at], reading: current?.reading ?? 0 };
}

function listOf(view: InboxView): string {
  return formatView({ ...view, at: undefined, contact: undefined });
}

function read(): InboxLocation {
  current ??= locate(parseView(window.location.search));
  return current;
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) window.addEventListener("popstate", onPopState);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("popstate", onPopState);
  };
}

function onPopState() {
  publish(locate(parseView(window.location.search)));
}
