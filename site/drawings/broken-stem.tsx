import { filled, Leaf, Nodes, RolledTip, Stem } from "./plant-parts";
import { SmallDrawing } from "./small-drawing";

/** A stem that is broken half way up, with a new leaf below the break. */
export function BrokenStem() {
  return (
    <SmallDrawing>
      <Stem d="M92 0C84 -44 86 -88 98 -128" from={10} to={8} />
      <path className={filled} d="M94-127L92-141L98-135L103-146L105-133L102-126Z" />
      <g transform="translate(112 -138) rotate(118)">
        <path className={filled} d="M-4 4L-7 13L-1 9L3 16L4 3Z" />
        <Stem d="M0 6C-2 -24 4 -56 0 -92" from={8} to={3.4} />
        <Leaf at={[0, -14]} turn={-36} length={46} />
        <Leaf at={[0, -22]} turn={-140} length={60} />
        <Leaf at={[2, -52]} turn={-34} length={38} />
        <RolledTip at={[0, -91]} turn={-4} radius={19} />
      </g>
      <Leaf at={[86, -36]} turn={-154} length={76} />
      <Leaf at={[86, -64]} turn={-30} length={52} />
      <Leaf at={[88, -92]} turn={-128} length={54} isHighlight />
      <Nodes at="92,0" />
    </SmallDrawing>
  );
}
