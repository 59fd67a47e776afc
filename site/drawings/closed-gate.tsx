import { filled, highlight, Leaf, onHighlight, RolledTip, Stem } from "./plant-parts";
import { SmallDrawing } from "./small-drawing";

/** A closed garden gate of upright leaves, with a fern behind it. */
export function ClosedGate() {
  return (
    <SmallDrawing>
      <Stem d="M100 -60C96 -100 100 -130 106 -164" from={7} to={3.4} />
      <RolledTip at={[106, -163]} turn={10} radius={18} />
      <Leaf at={[99, -118]} turn={-150} length={48} />
      <Leaf at={[99, -120]} turn={-18} length={54} />
      {[44, 75, 106, 137, 168, 199].map((x, index) => (
        <Leaf key={x} at={[x, -4]} turn={-90} length={[104, 112, 118, 118, 112, 104][index] ?? 0} broad={0.62} />
      ))}
      <path className={filled} d="M26-78H218V-70H26ZM26-30H218V-22H26Z" />
      <path className={filled} d="M14 0V-120Q20-134 26-120V0ZM214 0V-120Q220-134 226-120V0Z" />
      <circle className={highlight} cx="121" cy="-50" r="17" />
      <path className={onHighlight} d="M121-49V-41M121-49A4 4 0 1 1 121.1-49" />
    </SmallDrawing>
  );
}
