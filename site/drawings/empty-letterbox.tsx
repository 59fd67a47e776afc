import { cut, filled, Leaf, line, Nodes, RolledTip, Stem, vein } from "./plant-parts";
import { SmallDrawing } from "./small-drawing";

/** An open, empty letterbox on its post, with a frond beside it. */
export function EmptyLetterbox() {
  return (
    <SmallDrawing>
      <Stem d="M128 0C128 -30 126 -50 126 -84" from={14} to={11} />
      <path className={filled} d="M50-76V-112Q50-148 86-148H164Q200-148 200-112V-76Z" />
      <path className={cut} d="M59-84V-112Q59-138 86-138T113-112V-84Z" />
      <path className={filled} d="M54-76H118L92-58H28Z" />
      <path
        className={vein}
        d="M122-76V-112Q122-136 108-147M132-106Q160-114 192-110M146-109L160-124M146-109L162-95M166-112L178-124M166-112L180-99"
      />
      <path className={line} d="M180-144V-184" />
      <Leaf at={[180, -182]} turn={4} length={48} broad={1.2} isHighlight />
      <Stem d="M176 0C196 -14 206 -32 204 -54" from={7} to={2.2} />
      <RolledTip at={[204, -53]} radius={11} isMirrored />
      <Leaf at={[190, -14]} turn={-160} length={40} />
      <Leaf at={[200, -28]} turn={-24} length={36} />
      <Nodes at="180,-144 176,0" />
    </SmallDrawing>
  );
}
