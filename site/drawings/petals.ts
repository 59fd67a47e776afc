/** The outline of a gear with round teeth, which is also a flower. */
export function petals(centreX: number, centreY: number, inner: number, outer: number, count: number): string {
  const at = (radius: number, turn: number) => {
    const angle = turn * 2 * Math.PI - Math.PI / 2;
    return `${(centreX + radius * Math.cos(angle)).toFixed(1)} ${(centreY + radius * Math.sin(angle)).toFixed(1)}`;
  };
  const teeth = Array.from({ length: count }, (_, index) => {
    const turn = (share: number) => (index + share) / count;
    return `C${at(outer * 1.08, turn(0.04))} ${at(outer * 1.08, turn(0.56))} ${at(inner, turn(0.6))}Q${at(inner * 0.94, turn(0.8))} ${at(inner, turn(1))}`;
  });
  return `M${at(inner, 0)}${teeth.join("")}Z`;
}

/** The spokes of a dandelion's head, from the lower right round to the upper right: those between have just left. */
export function dandelion(centreX: number, centreY: number, radius: number, count: number): string {
  const at = (reach: number, degrees: number) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(centreX + reach * Math.cos(angle)).toFixed(1)} ${(centreY + reach * Math.sin(angle)).toFixed(1)}`;
  };
  return Array.from({ length: count }, (_, index) => {
    const degrees = 112 + (214 * index) / (count - 1);
    const tips = [-11, 0, 11].map((spread) => `M${at(radius * 0.72, degrees)}L${at(radius, degrees + spread)}`);
    return `M${at(4, degrees)}L${at(radius * 0.72, degrees)}${tips.join("")}`;
  }).join("");
}
