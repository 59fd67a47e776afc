import { patch, SmallDrawing } from "./small-drawing";

/** The curve of the hero, bent: the tip hangs, and a new shoot already comes from below the break. */
export function BrokenStem() {
  return (
    <SmallDrawing>
      <path className={patch} d="M62 90C58 72 66 60 80 56C84 72 78 84 62 90Z" />
      <path d="M20 12V124H150M20 96H14M20 68H14M20 40H14" />
      <path d="M24 122C52 118 74 96 84 48M84 48L92 44L86 54L96 50C112 52 120 66 120 86C120 98 108 100 106 92C105 86 112 84 114 89" />
      <path d="M84 48L80 42L90 38" />
      <path d="M100 52C104 42 112 38 120 40C118 50 110 55 103 53M117 66C126 60 135 61 141 67C134 74 125 74 119 70M78 74C92 70 102 76 106 84C94 88 84 84 78 74M68 96C56 94 48 86 46 76C58 78 66 84 68 96" />
      <path d="M58 106C58 92 64 80 76 70" strokeDasharray="1 6" />
    </SmallDrawing>
  );
}
