/**
 * Tells the style of the prerendered inbox whether its chart is open, as the browser remembers it (weeks-chart.tsx), so that
 * the page does not move when React starts.
 */
try {
  const open = localStorage.getItem("inbox-chart");
  if (open) document.documentElement.dataset.inboxChart = open;
} catch {
  // The browser's storage is switched off.
}
