import type { PointerEvent } from "react";

/** In pixels: where a movement to the left is no tap any more, and how far it must go. */
const [begin, far] = [12, 96];

/**
 * Which finger went down where. Its end may go unheard, because the row can leave the document under it: no other pointer
 * and no other row may go on with it.
 */
let down: { id: number; row: HTMLElement; x: number } | undefined;

/**
 * Lets a finger swipe a row to the left. The styles show what will happen, from the attributes `data-swiped` (with `label`)
 * and `data-far`. Up and down, the browser scrolls (`touch-action`).
 */
export function swipe(label: string, onSwiped: () => void) {
  function end({ currentTarget: row, type }: PointerEvent<HTMLElement>) {
    const isDone = type === "pointerup" && row.dataset.far === "true";
    down = undefined;
    delete row.dataset.swiped;
    delete row.dataset.far;
    if (isDone) onSwiped();
  }
  return {
    onPointerDown({
      currentTarget: row,
      pointerType,
      isPrimary,
      pointerId: id,
      clientX: x,
    }: PointerEvent<HTMLElement>) {
      if (pointerType === "touch" && isPrimary) down = { id, row, x };
    },
    onPointerMove({ currentTarget: row, pointerId, clientX }: PointerEvent<HTMLElement>) {
      if (down?.id !== pointerId || down.row !== row) return;
      const distance = Math.max(0, down.x - clientX);
      if (distance < begin && !row.dataset.swiped) return;
      row.setPointerCapture(pointerId);
      row.dataset.swiped = label;
      row.dataset.far = String(distance >= far);
      row.style.setProperty("--swiped", `${distance}px`);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
