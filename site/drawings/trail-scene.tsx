import { pinnaOutline } from "./fern";
import { Fox } from "./fox";

const dusk = {
  high: "#1c4743",
  middle: "#6d9a86",
  low: "#ecc793",
  sun: "#fbeecb",
  far: "#7ba38c",
  near: "#376a55",
  trail: "#e2c08d",
};

const conifers = [
  [30, 286, 1.15],
  [66, 292, 0.8],
  [196, 288, 0.7],
  [224, 284, 1],
  [420, 282, 0.75],
  [566, 284, 0.9],
  [604, 290, 1.3],
];

/** Dusk on a forest trail: the animals are silhouettes, and only the viewfinder of the phone shows colour. */
export function TrailScene() {
  return (
    <>
      <linearGradient id="dusk" x2="0" y2="1">
        <stop stopColor={dusk.high} />
        <stop offset="0.3" stopColor={dusk.middle} />
        <stop offset="0.52" stopColor={dusk.low} />
      </linearGradient>
      <path fill="url(#dusk)" d="M0 0H640V440H0Z" />
      <circle cx="322" cy="226" r="44" fill={dusk.sun} />
      <path fill={dusk.far} d="M0 252C70 214 140 240 220 232S370 206 450 230S590 208 640 224V440H0Z" />
      <g fill={dusk.near}>
        <path d="M0 288C90 268 160 300 250 286S400 274 480 290S590 276 640 290V440H0Z" />
        {conifers.map(([x, y, scale]) => (
          <path
            key={x}
            transform={`translate(${x} ${y}) scale(${scale})`}
            d="M-3 8V0H-26C-16 -8 -10 -18 -8 -24H-20C-11 -34 -7 -44 -5 -52H-13C-6 -62 -2 -74 0 -88C2 -74 6 -62 13 -52H5C7 -44 11 -34 20 -24H8C10 -18 16 -8 26 0H3V8Z"
          />
        ))}
      </g>
      <path
        fill={dusk.trail}
        d="M214 440C250 404 352 388 346 350C342 326 286 322 300 302C308 292 322 290 328 284H336C332 294 322 298 322 306C322 322 398 322 402 354C406 392 344 406 330 440Z"
      />
      <path
        fill="var(--ink)"
        d="M0 352C60 334 120 344 176 368C206 382 226 396 222 440H0ZM640 356C560 336 470 352 414 380C384 396 352 412 346 440H640Z"
      />
      <Deer />
      <Owl />
      <g fill="var(--ink)">
        <path transform="translate(30 366) rotate(-78) scale(.9)" d={pinnaOutline} />
        <path transform="translate(34 368) rotate(-44) scale(.75 -.75)" d={pinnaOutline} />
        <path transform="translate(26 368) rotate(-118) scale(.8 -.8)" d={pinnaOutline} />
        <path transform="translate(268 452) rotate(-100) scale(.8)" d={pinnaOutline} />
        <path transform="translate(272 452) rotate(-66) scale(.7 -.7)" d={pinnaOutline} />
      </g>
      <Phone />
    </>
  );
}

function Deer() {
  return (
    <g transform="translate(112 240) scale(1.08)" fill="var(--ink)">
      <path d="M18 52C20 43 34 41 47 42C58 43 64 39 69 30L76 15C79 11 84 11 89 14L99 20C102 22 101 26 97 26L87 27C85 37 81 50 76 59C73 64 70 66 66 67L36 66C26 66 17 62 18 52ZM79 13L73 4L84 10ZM19 48L11 55L19 59Z" />
      <path d="M22 58L21 80L23 110H28L28 83L38 63ZM35 62L35 84L36 110H41L40 85L46 62ZM59 62L60 84L58 110H63L66 85L70 60ZM68 62L72 84L76 109H81L77 83L77 54Z" />
      <path
        fill="none"
        stroke="var(--ink)"
        strokeWidth="2.4"
        strokeLinecap="round"
        d="M82 12C81 3 70 1 69 -12M79 3C73 3 66 0 63 -5M74 -2C74 -7 76 -10 78 -13M86 12C89 3 99 2 101 -9M89 4C95 5 102 3 106 -1M96 0C95 -5 94 -8 91 -12"
      />
    </g>
  );
}

function Owl() {
  return (
    <g>
      <path
        fill="none"
        stroke="var(--ink)"
        strokeWidth="7"
        strokeLinecap="round"
        d="M-6 112C40 106 82 116 148 100M64 110C80 100 86 90 92 76M112 108C124 114 132 122 144 126"
      />
      <path
        fill="var(--ink)"
        d="M26 62C24 50 26 42 27 36L38 43C43 41 49 41 54 43L65 36C66 42 68 50 66 62C68 82 64 100 50 112H42C28 100 24 82 26 62ZM40 106L36 130L46 114L52 130L54 106Z"
      />
      <circle cx="38" cy="58" r="6.5" fill="var(--sprout)" />
      <circle cx="55" cy="58" r="6.5" fill="var(--sprout)" />
      <circle cx="39" cy="58" r="3" fill="var(--ink)" />
      <circle cx="54" cy="58" r="3" fill="var(--ink)" />
    </g>
  );
}

function Phone() {
  return (
    <g transform="translate(414 76) rotate(5)">
      <rect width="182" height="400" rx="26" fill="#0a1712" />
      <rect x="9" y="9" width="164" height="420" rx="18" fill="#f6e4bd" />
      <path fill="#9cc08f" d="M9 170C50 150 90 178 173 156V440H9Z" />
      <path fill="#5d9470" d="M9 226C60 206 120 236 173 214V440H9Z" />
      <Fox />
      <g fill="var(--moss)">
        <path transform="translate(24 300) rotate(-70) scale(.9)" d={pinnaOutline} />
        <path transform="translate(28 304) rotate(-38) scale(.7 -.7)" d={pinnaOutline} />
        <path transform="translate(164 306) rotate(-112) scale(.95 -.95)" d={pinnaOutline} />
        <path transform="translate(160 308) rotate(-146) scale(.6)" d={pinnaOutline} />
        <path d="M9 288C60 276 120 282 173 290V440H9Z" />
      </g>
      <path
        fill="none"
        stroke="var(--sprout)"
        strokeWidth="5"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M28 108V88H48M134 88H154V108M154 250V270H134M48 270H28V250"
      />
      <rect x="38" y="30" width="106" height="30" rx="15" fill="var(--ink)" />
      <path fill="var(--sprout)" d="M52 52C50 42 58 37 66 38C67 47 61 53 52 52Z" />
      <path stroke="var(--paper)" strokeWidth="4" strokeLinecap="round" d="M76 45H128" />
    </g>
  );
}
