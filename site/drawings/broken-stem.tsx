export function BrokenStem() {
  return <svg viewBox="0 0 320 280" aria-hidden="true" />;
}
