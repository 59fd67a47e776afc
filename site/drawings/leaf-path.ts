/**
 * A simple leaf from its base to its tip, as an SVG path. `left` and `right` say how far its sides curve out, seen from
 * the base towards the tip.
 */
export function leafPath(baseX: number, baseY: number, tipX: number, tipY: number, left: number, right = left): string {
  const [alongX, alongY] = [tipX - baseX, tipY - baseY];
  const length = Math.hypot(alongX, alongY);
  const control = (side: number) =>
    `Q${Math.round((baseX + tipX) / 2 + (2 * side * alongY) / length)} ${Math.round((baseY + tipY) / 2 - (2 * side * alongX) / length)}`;
  return `M${baseX} ${baseY}${control(left)} ${tipX} ${tipY}${control(-right)} ${baseX} ${baseY}Z`;
}
