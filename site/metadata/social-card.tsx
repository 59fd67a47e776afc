import fraunces from "@fontsource/fraunces/files/fraunces-latin-600-normal.woff?inline";
import figtree from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?inline";
import { renderToStaticMarkup } from "react-dom/server";
import satori from "satori";
import sharp from "sharp";
import subsetFont from "subset-font";
import { brand } from "#content/brand";
import { hero } from "#content/landing";
import { pinnaOutline, pinnaRib } from "../drawings/fern";
import { bars, chart, crozier, internodes } from "../drawings/hero-fern";
import { light } from "../styles/colours";
import { logoIn } from "./icons";
import { cardSize } from "./social-card-image";

const { width, height } = cardSize;
const { panel, highlight, "on-panel": onPanel, "on-panel-soft": onPanelSoft, "panel-leaf": leaf } = light;

const column = { display: "flex", flexDirection: "column" } as const;
const fill = { ...column, width: "100%", height: "100%" } as const;
const caption = { fontFamily: "Figtree", fontSize: 29, lineHeight: "36px", color: onPanelSoft } as const;

/** The position and size of the chart on the card. */
const groundLine = 524;
const scale = 1.16;

/** Draws the image beside shared links: the headline and the fern of the landing page. */
export function socialCard() {
  return socialCardOf(hero.headline.join(" "));
}

/** The same with the headline of an article. */
export function socialCardOf(headline: string) {
  const lines = [""];
  for (const word of headline.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (!lines.at(-1) || longer.length <= 20) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return drawCard(lines);
}

async function drawCard(headline: readonly string[]) {
  const text = await satori(<Text headline={headline} />, { width, height, fonts: await fonts() });
  const logo = await logoIn('x="72" y="55" width="58" height="50"');
  const drawing = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" fill="${panel}"/>`,
    renderToStaticMarkup(<Chart />),
    `<g color="${highlight}">${logo}</g>`,
    text,
    "</svg>",
  ].join("");
  const picture = sharp(Buffer.from(drawing)).png({ palette: true, colours: 128, compressionLevel: 9, effort: 6 });
  return new Uint8Array(await picture.toBuffer());
}

function Text({ headline }: { headline: readonly string[] }) {
  const firstLines = headline.slice(0, -1);
  const lastLine = headline.at(-1);
  const fontSize = headlineSize(headline);
  return (
    <div style={{ ...fill, padding: "54px 72px 0", color: onPanel, fontFamily: "Fraunces" }}>
      <div style={{ marginLeft: 76, fontSize: 42, lineHeight: "56px", letterSpacing: -0.6 }}>{brand.name}</div>
      <div
        style={{ ...column, width: 780, marginTop: 70, fontSize, lineHeight: "1.07", letterSpacing: -0.024 * fontSize }}
      >
        {firstLines.map((line) => (
          <div key={line}>{line}</div>
        ))}
        <div style={{ ...column, position: "relative", alignSelf: "flex-start" }}>
          <div style={{ position: "absolute", left: 0, right: 0, bottom: 0, height: 11, background: highlight }} />
          <div style={{ position: "relative" }}>{lastLine}</div>
        </div>
      </div>
      <div style={{ ...caption, position: "absolute", left: 72, top: groundLine + 28 }}>{brand.tagline}</div>
    </div>
  );
}

/** As large as three lines of the shipped headline, and smaller where the fern would stand in the way. */
function headlineSize(lines: readonly string[]): number {
  const longest = Math.max(...lines.map((line) => line.length));
  const shares = [1, 18 / longest, 13 / (lines.at(-1)?.length ?? 1), 3 / lines.length];
  return Math.floor(82 * Math.min(...shares));
}

function Chart() {
  return (
    <>
      <path d={`M72 ${groundLine}H1128`} stroke={onPanelSoft} strokeWidth="2" />
      <g transform={`translate(514 ${groundLine - chart.ground * scale}) scale(${scale})`}>
        <Fern />
      </g>
    </>
  );
}

function Fern() {
  const tops = bars(hero.steps.length);
  const tip = crozier();
  return (
    <>
      <g fill={highlight}>
        {tops.map(([x, y]) => (
          <rect key={x} x={x - chart.barWidth / 2} y={y} width={chart.barWidth} height={chart.ground - y} />
        ))}
      </g>
      <defs>
        <g id="pinna">
          <path d={pinnaOutline} />
          <path d={pinnaRib} fill="none" stroke={panel} strokeWidth="1.2" strokeLinecap="round" />
        </g>
      </defs>
      <g fill={leaf}>
        {internodes().map(({ place, stem, above, below }) => (
          <g key={place} transform={place}>
            <use href="#pinna" transform={`rotate(-58) scale(${above} ${-above})`} />
            <use href="#pinna" transform={`rotate(58) scale(${below})`} />
            <path d={stem} />
          </g>
        ))}
        <g transform={tip.place}>
          <path d={tip.stem} />
          {tip.closedLeaflets.map(({ x, y, radius }) => (
            <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} />
          ))}
        </g>
      </g>
      <g fill={panel} stroke={onPanel} strokeWidth="2">
        {tops.map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="5.5" />
        ))}
      </g>
    </>
  );
}

/** satori reads neither WOFF2 nor variable fonts, so Figtree is converted to TrueType of one weight. */
async function fonts() {
  const pinned = await subsetFont(bytesOf(figtree), brand.tagline, {
    targetFormat: "truetype",
    variationAxes: { wght: 500 },
  });
  return [
    { name: "Fraunces", data: bytesOf(fraunces), weight: 600 as const },
    { name: "Figtree", data: pinned, weight: 500 as const },
  ];
}

function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
}
