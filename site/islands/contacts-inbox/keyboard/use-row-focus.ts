import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { fields } from "./keyboard-commands";

/**
 * Keeps the keyboard's place in the list. The focus is the real one, on the links of the rows. When the element that has
 * it leaves the page, the focus goes to the next row, or the one before, and never back to the top of the page.
 * `beside` changes with the buttons beside the list, which can have the focus too.
 */
export function useRowFocus(
  root: RefObject<HTMLElement | null>,
  ids: readonly string[],
  open: string | undefined,
  beside: unknown,
) {
  const last = useRef<Element>(undefined);
  /** The contact that is open or whose row had the focus last; when it leaves the list, the nearest one. */
  const place = useRef<string>(undefined);
  /** The contact whose row gets the focus as soon as the list has it. */
  const wanted = useRef<string>(undefined);
  const before = useRef({ ids, open });

  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last.current = target;
      place.current = rowOf(target) ?? place.current;
    };
    const element = root.current;
    element?.addEventListener("focusin", onFocus);
    return () => element?.removeEventListener("focusin", onFocus);
  }, [root]);

  // Before the page is drawn, so that the focus is never seen elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a button beside the list that leaves the page can have the focus
  useLayoutEffect(() => {
    const { ids: idsBefore, open: openBefore } = before.current;
    before.current = { ids, open };
    place.current = open && ids.includes(open) ? open : nearest(place.current, idsBefore, ids);
    const isLost = last.current?.isConnected === false && document.activeElement === document.body;
    if (wanted.current && ids.includes(wanted.current)) focusRow(wanted.current);
    else if (isLost && open) panelHeading()?.focus();
    else if (isLost || (openBefore && !open)) focusPlace();
  }, [ids, open, beside]);

  function focusRow(id: string | undefined) {
    const row = linkOf(id);
    wanted.current = row ? undefined : id;
    row?.focus();
  }

  function focusPlace() {
    const row = linkOf(place.current);
    if (row) row.focus();
    else root.current?.querySelector<HTMLElement>("[data-contacts]")?.focus({ preventScroll: true });
  }

  const linkOf = (id = "") => root.current?.querySelector<HTMLElement>(`[data-contact="${id}"] a`);
  const panelHeading = () => root.current?.querySelector<HTMLElement>("[data-contact-panel] h2");

  return {
    /** The contact whose row has the focus. */
    currentId: () => rowOf(document.activeElement),
    place: () => place.current,
    /** Focuses the row of this contact, now or when the list has it. */
    focusRow,

    /** Names the row from which the focus goes to the nearest one, when a button outside the list removes rows. */
    anchor(id: string | undefined) {
      const row = rowOf(document.activeElement) ?? id;
      if (ids.includes(row ?? "")) place.current = row;
    },

    /** Moves the focus from a field of the panel to its heading; false if no field has it. */
    leaveField(): boolean {
      if (!document.activeElement?.matches(fields)) return false;
      panelHeading()?.focus();
      return true;
    },
  };
}

/** The contact itself while it is listed, else the next one that has stayed, or the one before. */
export function nearest(id: string | undefined, before: readonly string[], now: readonly string[]): string | undefined {
  const stays = (one: string) => now.includes(one);
  const place = before.indexOf(id ?? "");
  return place < 0 ? id : (before.slice(place).find(stays) ?? before.slice(0, place).findLast(stays));
}

function rowOf(element: Element | null): string | undefined {
  return element?.closest("[data-contact]")?.getAttribute("data-contact") ?? undefined;
}
