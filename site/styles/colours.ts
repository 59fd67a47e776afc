import tokens from "./tokens.css?raw";

export type Colours = Readonly<Record<string, string>>;

const [lightBlock = "", darkBlock = ""] = tokens.split("@media (prefers-color-scheme: dark)");

/** The colours of `tokens.css` by name, for drawings that are made at build. */
export const light = readColours(lightBlock);
export const dark: Colours = { ...light, ...readColours(darkBlock) };

export function colour(colours: Colours, name: string): string {
  const found = colours[name];
  if (!found) throw new Error(`There is no colour --${name} in site/styles/tokens.css.`);
  return found;
}

function readColours(block: string): Colours {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/gi)].map(([, name, value]) => [name, value]),
  );
}
