import { renderToStaticMarkup } from "react-dom/server";
import sharp from "sharp";
import { hasOwnColours, Logo } from "../drawings/logo";
import { light } from "../styles/colours";

const drawnLogo = renderToStaticMarkup(<Logo />);

interface Icon {
  size: number;
  ground: string;
  mark: string;
  /** The radius of the corners, as a share of the size. */
  corner: number;
  /** The width of the logo, as a share of the size. */
  share: number;
}

/** A logo with colours of its own was drawn for a light ground. */
const onPanel = { ground: hasOwnColours ? light.ground : light.panel, mark: light.highlight, corner: 0.22, share: 0.8 };

/** The icons by file name, drawn from the logo at build. */
export const icons = {
  "icon-32": { ...onPanel, size: 32 },
  "icon-192": { ...onPanel, size: 192 },
  "icon-512": { ...onPanel, size: 512 },
  // Devices crop this icon to their own shape. Only a centred circle of 80 % of its width is always visible.
  "icon-maskable-512": { ...onPanel, size: 512, corner: 0, share: 0.54 },
  // iOS rounds the corners itself and shows transparent corners black.
  "apple-touch-icon": {
    size: 180,
    ground: light.ground,
    mark: light.accent,
    corner: 0,
    share: 0.62,
  },
} as const satisfies Record<string, Icon>;

export function iconSvg(): Promise<string> {
  return drawIcon(icons["icon-32"]);
}

export async function iconPng(icon: Icon) {
  const picture = sharp(Buffer.from(await drawIcon(icon))).png({ palette: true, compressionLevel: 9, effort: 7 });
  return new Uint8Array(await picture.toBuffer());
}

/** An ICO file with one PNG image, for programs that ask for nothing else: browsers take the icons that a page names. */
export async function faviconIco() {
  const size = 32;
  const picture = await iconPng({ ...onPanel, size });
  const header = Buffer.from([0, 0, 1, 0, 1, 0, size, size, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  header.writeUInt32LE(picture.length, 14);
  return Buffer.concat([header, picture]);
}

async function drawIcon({ size, ground, mark, corner, share }: Icon): Promise<string> {
  const inset = round((size * (1 - share)) / 2);
  const logo = await logoIn(`x="${inset}" y="${inset}" width="${round(size * share)}" height="${round(size * share)}"`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">`,
    `<rect width="${size}" height="${size}" rx="${round(size * corner)}" fill="${ground}"/>`,
    `<g color="${mark}">${logo}</g></svg>`,
  ].join("");
}

const logoBox = measureBox(drawnLogo);

/**
 * Returns the logo as part of a larger SVG. The logo has no margins and the current colour. `position` holds the
 * attributes that place it.
 */
export async function logoIn(position: string): Promise<string> {
  return drawnLogo.replace(/viewBox="[^"]*"/, `viewBox="${await logoBox}" ${position}`);
}

/** Measures which part of its view box the logo covers, so that icons stay centred when the logo changes. */
export async function measureBox(svg: string): Promise<string> {
  const [left = 0, top = 0, width = 0, height = 0] = (svg.match(/viewBox="([^"]*)"/)?.[1] ?? "").split(" ").map(Number);
  const pixels = 512;
  const picture = svg.replace(
    "<svg",
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${(pixels * height) / width}"`,
  );
  const { info } = await sharp(Buffer.from(picture))
    .trim()
    .toBuffer({ resolveWithObject: true })
    .catch((error: Error) => {
      throw new Error(`content/logo.svg: it cannot be drawn: ${error.message.trim().split("\n", 1)[0]}`);
    });
  const unit = width / pixels;
  const x = left - (info.trimOffsetLeft ?? 0) * unit;
  const y = top - (info.trimOffsetTop ?? 0) * unit;
  return [x, y, info.width * unit, info.height * unit].map(round).join(" ");
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
