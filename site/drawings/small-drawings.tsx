import type { ReactNode } from "react";
import { Leaf, Nodes, RolledTip, Stem } from "./plant-parts";
import styles from "./strokes.module.css";

/** A signpost with leaves as arms, which point in all directions, beside a path that ends. */
export function LostPath() {
  return (
    <SmallDrawing ground="M8 0H168">
      <path className={styles.line} strokeDasharray="0 9" d="M180 0H234" />
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

/** A stem that is broken half way up, with a new leaf below the break. */
export function BrokenStem() {
  return (
    <SmallDrawing>
      <Stem d="M92 0C84 -44 86 -88 98 -128" from={10} to={8} />
      <path className={styles.leaf} d="M94-127L92-141L98-135L103-146L105-133L102-126Z" />
      <g transform="translate(112 -138) rotate(118)">
        <path className={styles.leaf} d="M-4 4L-7 13L-1 9L3 16L4 3Z" />
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
      <path className={styles.leaf} d="M26-78H218V-70H26ZM26-30H218V-22H26Z" />
      <path className={styles.leaf} d="M14 0V-120Q20-134 26-120V0ZM214 0V-120Q220-134 226-120V0Z" />
      <circle className={styles.highlight} cx="121" cy="-50" r="17" />
      <path className={styles.onHighlight} d="M121-49V-41M121-49A4 4 0 1 1 121.1-49" />
    </SmallDrawing>
  );
}

/** An open, empty letterbox on its post, with a frond beside it. */
export function EmptyLetterbox() {
  return (
    <SmallDrawing>
      <Stem d="M128 0C128 -30 126 -50 126 -84" from={14} to={11} />
      <path className={styles.leaf} d="M50-76V-112Q50-148 86-148H164Q200-148 200-112V-76Z" />
      <path className={styles.cut} d="M59-84V-112Q59-138 86-138T113-112V-84Z" />
      <path className={styles.leaf} d="M54-76H118L92-58H28Z" />
      <path
        className={styles.vein}
        d="M122-76V-112Q122-136 108-147M132-106Q160-114 192-110M146-109L160-124M146-109L162-95M166-112L178-124M166-112L180-99"
      />
      <path className={styles.line} d="M180-144V-184" />
      <Leaf at={[180, -182]} turn={4} length={48} broad={1.2} isHighlight />
      <Stem d="M176 0C196 -14 206 -32 204 -54" from={7} to={2.2} />
      <RolledTip at={[204, -53]} radius={11} isMirrored />
      <Leaf at={[190, -14]} turn={-160} length={40} />
      <Leaf at={[200, -28]} turn={-24} length={36} />
      <Nodes at="180,-144 176,0" />
    </SmallDrawing>
  );
}

/** A leaf that flies like a folded paper plane. */
export function SentLeaf() {
  return (
    <SmallDrawing ground="M8 0H96">
      <path className={styles.line} strokeDasharray="0 9" d="M30 0C62-6 92-18 86-44S38-50 46-28S70-36 78-48" />
      <g transform="translate(94 -70) rotate(-34)">
        <path className={styles.leaf} d="M0 0C16-44 78-58 150 0Z" />
        <path className={styles.highlight} d="M0 0C20 40 84 44 150 0Z" />
        <path className={styles.leaf} d="M6-2Q-10 2-24 12L-21 16Q-6 8 10 4Z" />
        <path className={styles.vein} d="M4 0H146M40-1L60-26M68-1L88-25M96-1L112-16" />
        <path className={styles.onHighlight} d="M40 2L62 22M68 2L90 19M96 2L114 12" />
      </g>
      <Nodes at="30,0" />
    </SmallDrawing>
  );
}

/** The frame of the drawings beside messages. They stand on a ground line at y = 0, and are hidden from screen readers. */
function SmallDrawing({ ground = "M8 0H232", children }: { ground?: string; children: ReactNode }) {
  return (
    <svg viewBox="0 -200 240 208" aria-hidden="true">
      <path className={styles.line} d={ground} />
      {children}
    </svg>
  );
}
