import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export interface Placeholder {
  /** File and line, or the name of the setting. */
  location: string;
  text: string;
  reason: string;
}

/** The path and the text of a file. */
export type SourceText = readonly [file: string, text: string];

/** The placeholders that this product ships with. */
const placeholders: readonly { pattern: RegExp; reason: string }[] = [
  { pattern: /\.example\b/, reason: "an address that is reserved and reaches nobody" },
  { pattern: /\bFernway\b/, reason: "the company's placeholder name" },
  { pattern: /\bExample (Street|Town)\b/, reason: "a postal address that does not exist" },
  { pattern: /\b(Leaf & Trail|Spot & Recall|Atlas Quest)\b/, reason: "a product's placeholder name" },
];

/** Hosts that are not on the internet; `.test` and the like are reserved (RFC 6761). */
const notPublic = /^(localhost|127\.[\d.]+|\[::1\]|.*\.(example|invalid|localhost|test))$/;

export function findPlaceholders(sources: readonly SourceText[]): Placeholder[] {
  return sources.flatMap(([file, text]) =>
    text.split("\n").flatMap((line, index) => {
      const matches = isComment(line) ? [] : placeholders.filter(({ pattern }) => pattern.test(line));
      if (matches.length === 0) return [];
      const reason = matches.map(({ reason }) => reason).join("; ");
      return [{ location: `${file}:${index + 1}`, text: shorten(line.trim()), reason }];
    }),
  );
}

export function siteUrlPlaceholders(siteUrl: string): Placeholder[] {
  if (!notPublic.test(new URL(siteUrl).hostname)) return [];
  return [{ location: "SITE_URL", text: siteUrl, reason: "the site's own address, which only this machine knows" }];
}

/** All files of `content/`: the texts of pages and mails. */
export async function readContent(): Promise<SourceText[]> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const entries = await readdir(join(root, "content"), { recursive: true, withFileTypes: true });
  const files = entries
    .filter(({ name }) => /\.(ts|md)$/.test(name) && !name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    files.map(async (file) => [relative(root, file).split(sep).join("/"), await readFile(file, "utf8")] as const),
  );
}

function isComment(line: string): boolean {
  return /^\s*(\/\/|\/\*|\*)/.test(line);
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
