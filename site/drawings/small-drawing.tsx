import type { ReactNode } from "react";
import { line } from "./plant-parts";

/**
 * The frame of the drawings on small pages and beside short messages. They stand on a ground line with the y coordinate
 * 0, and are hidden from screen readers.
 */
export function SmallDrawing({ ground = "M8 0H232", children }: { ground?: string; children: ReactNode }) {
  return (
    <svg viewBox="0 -200 240 208" aria-hidden="true">
      <path className={line} d={ground} />
      {children}
    </svg>
  );
}
