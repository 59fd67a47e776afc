import { filled, highlight, line, Nodes, onHighlight, vein } from "./plant-parts";
import { SmallDrawing } from "./small-drawing";

/** A leaf that flies like a folded paper plane. */
export function SentLeaf() {
  return (
    <SmallDrawing ground="M8 0H96">
      <path className={line} strokeDasharray="0 9" d="M30 0C62-6 92-18 86-44S38-50 46-28S70-36 78-48" />
      <g transform="translate(94 -70) rotate(-34)">
        <path className={filled} d="M0 0C16-44 78-58 150 0Z" />
        <path className={highlight} d="M0 0C20 40 84 44 150 0Z" />
        <path className={filled} d="M6-2Q-10 2-24 12L-21 16Q-6 8 10 4Z" />
        <path className={vein} d="M4 0H146M40-1L60-26M68-1L88-25M96-1L112-16" />
        <path className={onHighlight} d="M40 2L62 22M68 2L90 19M96 2L114 12" />
      </g>
      <Nodes at="30,0" />
    </SmallDrawing>
  );
}
