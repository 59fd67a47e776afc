import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const styleSheets = globSync("site/**/*.module.css", { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .sort();

/** A class or keyframes of a CSS module in a built page or script. */
export const scopedName = /(?<![\w-])_[\da-z]{3,4}(?![\w-])/g;

/**
 * Names a class or keyframes by the position of its style sheet and its own position there, such as `_0k7`. Vite's own
 * names are three times as long and have a hash of the source, which would change them on every edit.
 */
export function scopedNameOf(name: string, file: string, css: string): string {
  const path = file.slice(root.length);
  // A style sheet that is new since the development server started.
  if (!styleSheets.includes(path)) styleSheets.push(path);
  const names = new Set(css.match(/(?<=\.|@keyframes )[a-z][\w-]*/gi));
  return `_${styleSheets.indexOf(path).toString(36).padStart(2, "0")}${[...names].indexOf(name).toString(36)}`;
}
