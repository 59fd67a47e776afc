/** Resolves after the first paint, or after a second in a tab in the background, which paints nothing. */
export function firstPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
    setTimeout(resolve, 1000);
  });
}
