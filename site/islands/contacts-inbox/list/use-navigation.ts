import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useInboxElements } from "../data/inbox-elements";
import { changeView, useInboxView } from "../find/use-inbox-view";
import { type ContactsQuery, showNewer, showOlder } from "./contact-pages";

/** Opens and closes contacts, and moves from one to the next. `ids` are the contacts that are shown. */
export function useNavigation(contacts: ContactsQuery, ids: readonly string[], beside: unknown) {
  const { contact: open } = useInboxView().view;
  const position = ids.indexOf(open ?? "");
  const { anchor, ...focus } = useRowFocus(ids, open, beside);
  const move = useMove(contacts, ids, focus);
  useFocusOnNewReading(contacts, () => focus.focusRow(ids[0]));

  return {
    focusRow: focus.focusRow,
    move,
    /** Whether the list has a contact before and after the open one. */
    canMove: {
      previous: position > 0 || (position === 0 && contacts.hasPreviousPage),
      next: position >= 0 && (position < ids.length - 1 || contacts.hasNextPage),
    },
    close: () => changeView({ contact: undefined }),

    /** Before contacts leave the list: the panel goes on to the next contact that stays, or closes after the last one. */
    leave(leaving: readonly string[]) {
      anchor(leaving[0]);
      if (position < 0 || !open || !leaving.includes(open)) return;
      const staying = ids.filter((id) => !leaving.includes(id));
      changeView({ contact: nearest(open, ids, staying) }, { replace: true });
    },
  };
}

/**
 * Opens the next contact (1) or the one before (-1), or focuses its row while none is open. Where the list ends, a page
 * is loaded first.
 */
function useMove(
  contacts: ContactsQuery,
  ids: readonly string[],
  { place, focusRow }: Pick<ReturnType<typeof useRowFocus>, "place" | "focusRow">,
) {
  const { contact: open } = useInboxView().view;
  /** The contact from which to go on as soon as the page is there. */
  const waiting = useRef<{ from: string; step: 1 | -1 }>(undefined);
  const goTo = open ? (id: string) => changeView({ contact: id }) : focusRow;

  const goOn = useEffectEvent(() => {
    const { from = "", step = 1 } = waiting.current ?? {};
    waiting.current = undefined;
    const index = ids.indexOf(from);
    const target = index < 0 ? undefined : ids[index + step];
    // Only if the person has stayed there meanwhile.
    if (target && from === (open ?? focusedContact())) goTo(target);
  });
  useEffect(() => {
    if (!contacts.isFetching) goOn();
  }, [contacts.isFetching]);

  return (step: 1 | -1) => {
    const from = open ?? place() ?? "";
    const index = ids.indexOf(from);
    const target = index < 0 ? (open ? undefined : ids[0]) : ids[index + step];
    if (target) return goTo(target);
    if (index < 0 || !(step > 0 ? contacts.hasNextPage : contacts.hasPreviousPage)) return;
    waiting.current = { from, step };
    (step > 0 ? showOlder : showNewer)(contacts);
  };
}

/** After "Go to the newest" and "just arrived", the keyboard begins at the first contact. */
function useFocusOnNewReading({ isPlaceholderData }: ContactsQuery, focusFirst: () => void) {
  const { reading } = useInboxView();
  const last = useRef(reading);
  const onReading = useEffectEvent(focusFirst);
  useEffect(() => {
    if (isPlaceholderData || last.current === reading) return;
    last.current = reading;
    onReading();
  }, [reading, isPlaceholderData]);
}

/**
 * Keeps the keyboard's place in the list. The focus is the real one, on the links of the rows. When the element that has
 * it leaves the page, the focus goes to the next row, or the one before, and never back to the top of the page.
 * `beside` is a value that changes when a button beside the list comes or goes, because that button can have the focus.
 */
function useRowFocus(ids: readonly string[], open: string | undefined, beside: unknown) {
  const { list, heading } = useInboxElements();
  const { last, place } = useLastFocus();
  /** The contact whose row gets the focus as soon as the list has it. */
  const wanted = useRef<string>(undefined);
  const before = useRef({ ids, open });

  function focusRow(id: string | undefined) {
    const link = linkOf(list, id);
    wanted.current = link ? undefined : id;
    link?.focus();
  }

  function focusRowOrList(id: string | undefined) {
    const link = linkOf(list, id);
    if (link) link.focus();
    else list.current?.focus({ preventScroll: true });
  }

  // Before the page is drawn, so that the focus is never seen elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `beside` tells that a button with the focus may have gone
  useLayoutEffect(() => {
    const { ids: idsBefore, open: openBefore } = before.current;
    before.current = { ids, open };
    place.current = open && ids.includes(open) ? open : nearest(place.current, idsBefore, ids);
    const isLost = last.current?.isConnected === false && document.activeElement === document.body;
    if (wanted.current && ids.includes(wanted.current)) focusRow(wanted.current);
    else if (isLost && open) heading.current?.focus();
    else if (isLost || (openBefore && !open)) focusRowOrList(place.current);
  }, [ids, open, beside]);

  return {
    place: () => place.current,
    /** Focuses the row of this contact, now or when the list has it. */
    focusRow,

    /** Names the row from which the focus goes to the nearest one, when a button outside the list removes rows. */
    anchor(id: string | undefined) {
      const row = focusedContact() ?? id;
      if (ids.includes(row ?? "")) place.current = row;
    },
  };
}

/** The element of the page that had the focus last, and the place in the list. */
function useLastFocus() {
  const { list } = useInboxElements();
  const last = useRef<Element>(undefined);
  /** The contact that is open or whose row had the focus last; when it leaves the list, the nearest one. */
  const place = useRef<string>(undefined);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last.current = target;
      place.current = contactOf(target) ?? place.current;
    };
    // What is above the list may have the focus and go, such as the last filter.
    const element = list.current?.closest("main");
    element?.addEventListener("focusin", onFocus);
    return () => element?.removeEventListener("focusin", onFocus);
  }, [list]);
  return { last, place };
}

/** The contact itself while it is listed, else the next one that has stayed, or the one before. */
function nearest(id: string | undefined, before: readonly string[], now: readonly string[]): string | undefined {
  const stays = (one: string) => now.includes(one);
  const place = before.indexOf(id ?? "");
  return place < 0 ? id : (before.slice(place).find(stays) ?? before.slice(0, place).findLast(stays));
}

/** The contact whose row has the focus. */
export function focusedContact(): string | undefined {
  return contactOf(document.activeElement);
}

function contactOf(element: Element | null): string | undefined {
  return element?.closest("[data-contact]")?.getAttribute("data-contact") ?? undefined;
}

function linkOf(list: RefObject<HTMLElement | null>, id = ""): HTMLElement | null {
  return list.current?.querySelector<HTMLElement>(`[data-contact="${id}"] a`) ?? null;
}
