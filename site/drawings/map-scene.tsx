const sheet = { sea: "#cfe4dc", fold: "#10231c", land: "#f5edd9", country: "#c8f169", border: "#a8927a" };

const panelWidth = 134;
/** Adjacent panels lean in opposite directions, so that the sheet looks folded. */
const panels = [
  { x: 52, y: 66, lean: 10, shade: 0 },
  { x: 186, y: 90, lean: -10, shade: 0.1 },
  { x: 320, y: 66, lean: 10, shade: 0 },
  { x: 454, y: 90, lean: -10, shade: 0.1 },
];

/** A folded map: one drawing, clipped to four panels. */
export function MapScene() {
  return (
    <>
      <defs>
        <Sheet />
        <clipPath id="map-panel">
          <path d={`M0 0H${panelWidth + 0.5}V288H0Z`} />
        </clipPath>
      </defs>
      <path fill="#24554a" d="M0 0H640V440H0Z" />
      <path fill="#1a4239" d="M62 76L196 102L330 78L464 102L600 76V364L464 390L330 366L196 390L62 366Z" />
      {panels.map(({ x, y, lean, shade }, index) => (
        <g key={x} transform={`translate(${x} ${y}) skewY(${lean})`}>
          <g clipPath="url(#map-panel)">
            <use href="#map-sheet" x={-index * panelWidth} />
            <path fill={sheet.fold} opacity={shade} d={`M0 0H${panelWidth + 1}V288H0Z`} />
          </g>
        </g>
      ))}
      <Flag x={150} y={206} top="#b4492a" middle="#faf7f0" bottom="#2a6248" />
      <Flag x={500} y={172} top="#2f6f86" middle="#f2c14e" bottom="#2f6f86" />
      <Pin />
    </>
  );
}

function Sheet() {
  return (
    <g id="map-sheet">
      <path fill={sheet.sea} d="M0 0H560V288H0Z" />
      <path
        stroke="#fff"
        strokeWidth="1.5"
        opacity="0.7"
        d="M0 58H560M0 116H560M0 174H560M0 232H560M70 0V288M140 0V288M210 0V288M280 0V288M350 0V288M420 0V288M490 0V288"
      />
      <path
        fill={sheet.land}
        d="M0 60C30 52 46 70 70 64C92 58 104 34 132 30C162 26 176 44 206 36C240 26 258 6 300 10C340 14 352 34 388 30C420 26 448 0 470 0H560V196C540 190 520 204 498 198C474 192 470 214 446 222C420 230 410 254 384 262C352 272 330 252 300 258C268 264 250 288 210 284C170 280 164 250 130 244C96 238 84 256 54 246C30 238 22 224 0 226Z"
      />
      <path
        fill={sheet.country}
        stroke="#2a6248"
        strokeWidth="3"
        strokeLinejoin="round"
        d="M190 92L214 70L246 76L262 60L292 70L318 62L340 84L372 88L382 112L366 134L378 160L356 184L322 188L306 212L276 206L258 222L230 206L204 208L192 180L170 166L182 138L172 116Z"
      />
      <path
        fill="none"
        stroke={sheet.border}
        strokeWidth="2"
        strokeDasharray="7 5"
        d="M190 92C168 84 150 52 132 30M170 166C140 172 150 220 130 244M382 112C410 104 440 120 470 96S520 70 560 84M306 212C314 230 304 244 300 258M366 134C400 146 410 190 446 222"
      />
      <path
        fill="none"
        stroke="#7db3c0"
        strokeWidth="4"
        strokeLinecap="round"
        d="M292 72C284 96 300 112 286 130S262 160 270 184C272 192 268 200 264 216"
      />
      <path
        fill="none"
        stroke="#b4492a"
        strokeWidth="3"
        strokeDasharray="1 8"
        strokeLinecap="round"
        d="M98 150C150 200 210 190 248 142C300 90 380 176 446 110"
      />
      <path
        fill="#8d7b66"
        opacity="0.7"
        d="M204 184L214 166L224 184ZM218 188L230 168L242 188ZM332 120L342 102L352 120ZM346 126L356 110L366 126Z"
      />
      <g transform="translate(504 240)">
        <circle r="26" fill="none" stroke="#2a6248" strokeWidth="1.5" />
        <path fill="#2a6248" d="M0 -34L6 -6L34 0L6 6L0 34L-6 6L-34 0L-6 -6Z" />
        <path fill="#faf7f0" d="M0 -34L6 -6L0 0ZM34 0L6 6L0 0ZM0 34L-6 6L0 0ZM-34 0L-6 -6L0 0Z" />
      </g>
    </g>
  );
}

interface FlagProps {
  x: number;
  y: number;
  top: string;
  middle: string;
  bottom: string;
}

function Flag({ x, y, top, middle, bottom }: FlagProps) {
  const stripe = "c18 -8 32 8 56 0v14c-24 8 -38 -8 -56 0z";
  return (
    <g transform={`translate(${x} ${y})`}>
      <ellipse cx="12" cy="2" rx="16" ry="4" fill="var(--ink)" opacity="0.25" />
      <path fill={top} d={`M2 -84${stripe}`} />
      <path fill={middle} d={`M2 -70${stripe}`} />
      <path fill={bottom} d={`M2 -56${stripe}`} />
      <path stroke="var(--ink)" strokeWidth="4" strokeLinecap="round" d="M0 0V-88" />
    </g>
  );
}

function Pin() {
  return (
    <g transform="translate(312 216)">
      <ellipse cx="16" cy="0" rx="26" ry="6" fill="var(--ink)" opacity="0.3" />
      <path fill="var(--ink)" d="M0 0C-8 -30 -36 -42 -36 -76A36 36 0 0 1 36 -76C36 -42 8 -30 0 0Z" />
      <path
        fill="var(--sprout)"
        d="M0 -98L6.5 -83L22 -82L10 -71.5L14 -56L0 -64.5L-14 -56L-10 -71.5L-22 -82L-6.5 -83Z"
      />
    </g>
  );
}
