import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { changeView, useInboxView } from "../find/use-inbox-view";
import { type ContactsQuery, showNewer, showOlder } from "../list/use-contacts";
import { nearest, useRowFocus } from "./use-row-focus";

export type Navigation = ReturnType<typeof useNavigation>;

/** Opens and closes contacts, and moves from one to the next, also into pages that are not loaded yet. */
export function useNavigation(
  root: RefObject<HTMLElement | null>,
  contacts: ContactsQuery,
  ids: readonly string[],
  beside: unknown,
) {
  const { view, reading } = useInboxView();
  const { contact: open } = view;
  const position = ids.indexOf(open ?? "");
  const focus = useRowFocus(root, ids, open, beside);
  /** The contact from which to go on as soon as the next page is there. */
  const moving = useRef<{ from: string; step: 1 | -1 }>(undefined);

  const goTo = open ? (id: string) => changeView({ contact: id }) : focus.focusRow;

  /** Opens the next contact (1) or the one before (-1), or focuses its row while none is open. */
  function move(step: 1 | -1) {
    const from = open ?? focus.place() ?? "";
    const index = ids.indexOf(from);
    const target = index < 0 ? (open ? undefined : ids[0]) : ids[index + step];
    if (target) return goTo(target);
    if (index < 0 || !(step > 0 ? contacts.hasNextPage : contacts.hasPreviousPage)) return;
    moving.current = { from, step };
    (step > 0 ? showOlder : showNewer)(contacts);
  }

  const goOn = useEffectEvent(() => {
    const { from, step } = moving.current ?? { from: "", step: 1 };
    moving.current = undefined;
    const index = ids.indexOf(from);
    const target = index < 0 ? undefined : ids[index + step];
    if (target && from === (open ?? focus.currentId())) goTo(target);
  });
  useEffect(() => {
    if (!contacts.isFetching) goOn();
  }, [contacts.isFetching]);

  /** A new reading of the list begins at its first contact. */
  const lastReading = useRef(reading);
  const focusFirst = useEffectEvent(() => focus.focusRow(ids[0]));
  useEffect(() => {
    if (contacts.isPlaceholderData || lastReading.current === reading) return;
    lastReading.current = reading;
    focusFirst();
  }, [reading, contacts.isPlaceholderData]);

  return {
    ...focus,
    move,
    /** Whether the list has a contact before and after the open one. */
    canMove: {
      previous: position > 0 || (position === 0 && contacts.hasPreviousPage),
      next: position >= 0 && (position < ids.length - 1 || contacts.hasNextPage),
    },
    close: () => changeView({ contact: undefined }),

    /** The panel goes on to the next contact that stays in the list, and closes after the last one. */
    leave(leaving: readonly string[]) {
      focus.anchor(leaving[0]);
      if (position < 0 || !open || !leaving.includes(open)) return;
      const staying = ids.filter((id) => !leaving.includes(id));
      changeView({ contact: nearest(open, ids, staying) }, { replace: true });
    },
  };
}
