import { Leaf, line, Nodes, RolledTip, Stem } from "./plant-parts";
import { SmallDrawing } from "./small-drawing";

/** A signpost with leaves as arms, which point in all directions, beside a path that ends. */
export function LostPath() {
  return (
    <SmallDrawing ground="M8 0H168">
      <path className={line} strokeDasharray="0 9" d="M180 0H234" />
      <Stem d="M112 0C110 -60 112 -120 113 -174" from={10} to={3.4} />
      <RolledTip at={[113, -173]} turn={4} radius={18} />
      <Leaf at={[112, -126]} turn={2} length={104} broad={1.05} />
      <Leaf at={[111, -102]} turn={-170} length={98} broad={1.05} isHighlight />
      <Leaf at={[111, -64]} turn={-20} length={78} broad={1.05} />
      <Leaf at={[36, 0]} turn={-112} length={34} />
      <Leaf at={[36, 0]} turn={-64} length={44} />
      <Leaf at={[36, 0]} turn={-24} length={30} />
      <Nodes at="112,0 112,-126 111,-102 111,-64" />
    </SmallDrawing>
  );
}
