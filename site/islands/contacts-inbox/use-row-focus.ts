import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { fields } from "./keyboard-commands";

/**
 * Keeps the keyboard's place in the list. The focus is the real one, on the links of the rows. When the element that has
 * it leaves the page, the focus goes to the next row, or the one before, and never back to the top of the page.
 */
export function useRowFocus(root: RefObject<HTMLElement | null>, ids: readonly string[], open: string | undefined) {
  const last = useRef<{ element?: Element; id?: string | undefined }>({});
  const before = useRef({ ids, open });
  /** Where to move from as soon as the next page is there. */
  const moving = useRef<{ from: string; step: number }>(undefined);

  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element) last.current = { element: target, id: rowOf(target) ?? last.current.id };
    };
    const element = root.current;
    element?.addEventListener("focusin", onFocus);
    return () => element?.removeEventListener("focusin", onFocus);
  }, [root]);

  // Before the page is drawn, so that the focus is never seen elsewhere.
  useLayoutEffect(() => {
    const { ids: idsBefore, open: openBefore } = before.current;
    before.current = { ids, open };
    const { element, id } = last.current;
    const isLost = element && !element.isConnected && document.activeElement === document.body;
    if (openBefore && !open) focusNearest(openBefore, idsBefore);
    else if (isLost && open) panelHeading()?.focus();
    else if (isLost) focusNearest(id, idsBefore);
    finishMove();
  });

  function finishMove() {
    if (!moving.current) return;
    const { from, step } = moving.current;
    if (rowOf(document.activeElement) !== from) moving.current = undefined;
    const target = ids[ids.indexOf(from) + step];
    if (!target || !moving.current) return;
    moving.current = undefined;
    focusRow(target);
  }

  function focusNearest(id: string | undefined, idsBefore: readonly string[]) {
    const place = idsBefore.indexOf(id ?? "");
    const stays = (one: string) => ids.includes(one);
    const nearest =
      place < 0 ? ids[0] : (idsBefore.slice(place).find(stays) ?? idsBefore.slice(0, place).findLast(stays));
    if (nearest) focusRow(nearest);
    else root.current?.querySelector<HTMLElement>("[data-contacts]")?.focus();
  }

  const focusRow = (id: string) => root.current?.querySelector<HTMLElement>(`[data-contact="${id}"] a`)?.focus();
  const panelHeading = () => root.current?.querySelector<HTMLElement>("[data-contact-panel] h2");

  return {
    /** The contact whose row has the focus. */
    currentId: () => rowOf(document.activeElement),

    /** Moves the focus to the next row (1) or the one before (-1). Past the last one, `loadMore` reads another page. */
    move(step: 1 | -1, loadMore: () => void) {
      const from = rowOf(document.activeElement) ?? last.current.id;
      const place = ids.indexOf(from ?? "");
      const target = place < 0 ? ids[0] : ids[place + step];
      if (target) return focusRow(target);
      if (!from) return;
      moving.current = { from, step };
      loadMore();
    },

    /** Names the row from which the focus goes to the nearest one, when a button outside the list removes rows. */
    anchor(id: string | undefined) {
      last.current.id = rowOf(document.activeElement) ?? id;
    },

    /** Moves the focus from a field of the panel to its heading; false if no field has it. */
    leaveField(): boolean {
      if (!document.activeElement?.matches(fields)) return false;
      panelHeading()?.focus();
      return true;
    },
  };
}

function rowOf(element: Element | null): string | undefined {
  return element?.closest("[data-contact]")?.getAttribute("data-contact") ?? undefined;
}
