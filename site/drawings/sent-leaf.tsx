import { patch, SmallDrawing } from "./small-drawing";

/** A leaf that flies like a paper plane. */
export function SentLeaf() {
  return (
    <SmallDrawing>
      <path className={patch} d="M66 66C84 32 112 22 144 24C140 52 122 78 90 88Z" />
      <path d="M60 62C80 30 108 18 142 18C138 50 120 76 86 86L76 74Z" />
      <path d="M142 18L76 74L70 98L86 86M60 62L76 74M118 38L112 26M118 38L132 42M98 55L90 40M98 55L114 60" />
      <path d="M62 106C52 118 36 124 26 116S28 96 40 102S38 128 14 130" strokeDasharray="1 7" />
    </SmallDrawing>
  );
}
