/** Lines with their widths. They come from above in the middle and wind to the right. */
const lines: readonly [width: number, path: string][] = [
  [4.8, "M20 0V18A11 11 0 0 0 42 18"],
  [3.6, "M42 18A9 9 0 0 0 24 18"],
  [2.8, "M24 18A6.5 6.5 0 0 0 37 18A4 4 0 0 0 30 17"],
];

/** The rolled-up tip of a stem that grows down. */
export function StemTip({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 40 40" fill="none" strokeLinecap="round" aria-hidden="true">
      {lines.map(([width, path]) => (
        <path key={path} d={path} strokeWidth={width} />
      ))}
    </svg>
  );
}
