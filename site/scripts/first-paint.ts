/** Resolves after the first paint with content, or after a second in a tab in the background, which paints nothing. */
export function firstPaint(): Promise<unknown> {
  return new Promise<void>((resolve) => {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName("first-contentful-paint").length > 0) resolve();
    }).observe({ type: "paint", buffered: true });
    setTimeout(resolve, 1000);
  });
}
