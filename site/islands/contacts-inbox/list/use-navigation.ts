import { useEffect, useEffectEvent, useRef } from "react";
import { changeView, useInboxView } from "../find/use-inbox-view";
import { type ContactsQuery, showNewer, showOlder } from "./contact-pages";
import { focusedContact, nearest, useRowFocus } from "./use-row-focus";

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
