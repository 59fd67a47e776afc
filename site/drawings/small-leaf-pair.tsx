import { smallLeafOutline } from "./stem-leaves";

/** Two leaves on both sides of a stem that grows down. Their veins are slits. */
export function SmallLeafPair({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="-100 -30 200 100" fillRule="evenodd" aria-hidden="true">
      <path d={smallLeafOutline} transform="rotate(30) scale(1 -1)" />
      <path d={smallLeafOutline} transform="scale(-1 1) rotate(30) scale(1 -1)" />
    </svg>
  );
}
