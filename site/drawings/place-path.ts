interface Placing {
  x?: number;
  y?: number;
  /** In degrees. */
  turn: number;
  scale: number;
  /** Mirrors the shape at its own x axis, before it is turned. */
  isFlipped?: boolean;
  /** Mirrors the turned shape at the y axis. */
  isOnLeft?: boolean;
}

/**
 * Returns the path with its points turned, scaled and moved. Several shapes become one path this way, which is much
 * cheaper for a browser than an element for each. The path must have absolute commands of x y pairs only. The result has
 * whole numbers.
 */
export function placePath(path: string, { x = 0, y = 0, turn, scale, isFlipped, isOnLeft }: Placing): string {
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  return path.replaceAll(/(-?[\d.]+) (-?[\d.]+)/g, (_, px, py) => {
    const [fromX, fromY] = [Number(px), isFlipped ? -Number(py) : Number(py)];
    const along = cos * fromX - sin * fromY;
    return `${Math.round(x + (isOnLeft ? -along : along))} ${Math.round(y + sin * fromX + cos * fromY)}`;
  });
}
