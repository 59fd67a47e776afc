import { useState } from "react";
import type { StoredContact } from "../../../supabase/read-contacts";

export type Selection = ReturnType<typeof useSelection>;

/**
 * The selected contacts. Only those that are shown count, so nothing is changed that cannot be seen. The opening of a
 * contact clears the selection, because on a narrow screen it hides the list.
 */
export function useSelection(shown: readonly StoredContact[], open: string | undefined) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const [openBefore, setOpenBefore] = useState(open);
  const ids = shown.map(({ id }) => id);
  const selected = shown.filter(({ id }) => chosen.has(id));
  const isWhole = selected.length === shown.length;
  const clear = () => setChosen(new Set());
  if (open !== openBefore) {
    setOpenBefore(open);
    if (open) clear();
  }

  /** With `extend`, everything between this contact and the last one that was clicked becomes the same. */
  function toggle(id: string | undefined, extend = false) {
    if (!id) return;
    const next = new Set(selected.map((contact) => contact.id));
    const adds = !next.has(id);
    for (const one of extend && last ? between(ids, last, id) : [id]) {
      if (adds) next.add(one);
      else next.delete(one);
    }
    setChosen(next);
    setLast(id);
  }

  return {
    selected,
    isWhole,
    has: (id: string) => chosen.has(id),
    toggle,
    toggleAll: () => setChosen(new Set(isWhole ? [] : ids)),
    clear,
  };
}

/** The ids from one to the other, in either order; only `to` if `from` is not shown. */
function between(ids: readonly string[], from: string, to: string): readonly string[] {
  const [one, other] = [ids.indexOf(from), ids.indexOf(to)];
  return one < 0 || other < 0 ? [to] : ids.slice(Math.min(one, other), Math.max(one, other) + 1);
}
