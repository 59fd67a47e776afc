/** A frond that is also a rising curve, in one path. The icons and the social card are made from `Logo` at build. */
export const logoPath =
  "M3 28.5C13 28 20 22.5 22 13.5C22.9 9.5 25 6.5 27.5 7.5C29.7 8.4 29.3 11.6 27 11.4M9.5 27C7.5 23.5 7.5 20 9 17M14.8 24C12.2 20 12.2 15.5 14 12M19 19.5C16.8 15.5 17 11 19 7.5M14.8 24C18 26.3 22 26.8 25.5 25.5M19 19.5C22 21.3 25.5 21.4 28.5 19.8";

export function Logo() {
  return (
    <svg
      viewBox="0 0 32 32"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
    >
      <path d={logoPath} />
    </svg>
  );
}
