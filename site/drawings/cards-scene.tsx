import type { ReactNode } from "react";
import { logoPath } from "./logo";

/** The twelve cards. If a card lies face up, `open` names its picture. */
const board: readonly { column: number; row: number; tilt: number; open?: "hedgehog" | "leaf" | "tram" | "kettle" }[] =
  [
    { column: 0, row: 0, tilt: -2 },
    { column: 1, row: 0, tilt: 3, open: "hedgehog" },
    { column: 2, row: 0, tilt: -1 },
    { column: 3, row: 0, tilt: 2 },
    { column: 0, row: 1, tilt: 1 },
    { column: 1, row: 1, tilt: -2 },
    { column: 2, row: 1, tilt: 2 },
    { column: 3, row: 1, tilt: -4, open: "tram" },
    { column: 0, row: 2, tilt: -3, open: "leaf" },
    { column: 1, row: 2, tilt: 1 },
    { column: 2, row: 2, tilt: 4, open: "kettle" },
    { column: 3, row: 2, tilt: -1 },
  ];

/** The cards of a memory game that is being played. */
export function CardsScene() {
  return (
    <>
      <defs>
        <g id="card-back">
          <rect width="116" height="112" rx="10" fill="var(--ink)" />
          <rect x="8" y="8" width="100" height="96" rx="5" fill="none" stroke="var(--fern)" strokeWidth="1.5" />
          <path transform="translate(29 25) scale(1.9)" d={logoPath} fill="var(--fern)" />
        </g>
      </defs>
      <path fill="#3f7a5d" d="M0 0H640V440H0Z" />
      {board.map(({ column, row, tilt, open }) => (
        <g
          key={`${column} ${row}`}
          transform={`translate(${52 + column * 140} ${28 + row * 136}) rotate(${tilt} 58 56)`}
        >
          <rect x="4" y="7" width="116" height="112" rx="10" fill="#2a5b44" />
          {open ? <OpenCard>{faces[open]}</OpenCard> : <use href="#card-back" />}
        </g>
      ))}
    </>
  );
}

function OpenCard({ children }: { children: ReactNode }) {
  return (
    <>
      <rect width="116" height="112" rx="10" fill="var(--paper)" />
      {children}
    </>
  );
}

const line = {
  fill: "none",
  stroke: "var(--ink)",
  strokeWidth: 2.5,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

const faces = {
  hedgehog: (
    <>
      <path fill="#e3b98a" d="M70 46C84 50 94 62 104 72C106 75 104 78 100 78H66Z" />
      <path
        fill="#6b4a34"
        d="M14 78L20 70L12 66L21 61L15 53L25 52L22 42L32 44L32 34L41 39L45 29L51 37L59 30L61 40L71 36L70 46L79 46L75 54L82 58L76 63L80 69L73 71L75 80Z"
      />
      <path {...line} stroke="#e3b98a" d="M32 56L28 50M44 50L41 43M57 51L56 44M36 68L31 63M50 63L47 56M64 64L62 57" />
      <circle cx="104" cy="73" r="4.5" fill="var(--ink)" />
      <circle cx="86" cy="63" r="3" fill="var(--ink)" />
      <path {...line} stroke="#6b4a34" strokeWidth="5" d="M30 82V86M46 82V86M66 82V86M80 82V86" />
    </>
  ),
  leaf: (
    <>
      <path fill="var(--sprout)" d="M28 92C14 52 44 18 92 20C98 64 70 98 28 92Z" />
      <path fill="var(--moss)" d="M28 92C66 68 80 46 92 20C98 64 70 98 28 92Z" />
      <path
        {...line}
        d="M18 102C50 78 74 52 92 20M47 80L45 58M62 65L61 43M47 80L68 82M62 65L82 66M74 50L75 34M74 50L90 48"
      />
    </>
  ),
  tram: (
    <>
      <path {...line} d="M10 16H106M46 32L58 16L70 32" />
      <rect x="16" y="32" width="84" height="54" rx="9" fill="var(--clay)" />
      <path fill="#f3dcc4" d="M16 62H100V68H16Z" />
      <path fill="#cfe5e0" d="M24 40H42V56H24ZM49 40H67V56H49ZM74 40H91C92 45 92 51 92 56H74Z" />
      <path fill="var(--ink)" d="M22 86H94V90H22Z" />
      <circle cx="36" cy="91" r="7" fill="var(--ink)" />
      <circle cx="80" cy="91" r="7" fill="var(--ink)" />
      <circle cx="94" cy="76" r="3.5" fill="var(--sprout)" />
      <path {...line} d="M8 100H108" />
    </>
  ),
  kettle: (
    <>
      <path {...line} strokeWidth="5" stroke="#24505f" d="M36 48C30 14 86 14 80 48" />
      <path fill="#3d7d92" d="M32 50H84C92 62 96 78 92 92C91 95 88 96 85 96H31C28 96 25 95 24 92C20 78 24 62 32 50Z" />
      <path fill="#3d7d92" d="M88 66C98 64 98 52 108 50L112 56C104 60 104 78 92 82Z" />
      <path fill="#24505f" d="M36 50C40 40 76 40 80 50Z" />
      <circle cx="58" cy="40" r="5" fill="var(--ink)" />
      <path {...line} stroke="#9cc7d3" strokeWidth="4" d="M34 64C31 70 30 78 31 84" />
    </>
  ),
};
