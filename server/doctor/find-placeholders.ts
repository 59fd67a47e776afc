import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { claimFiles, claims, creed, legal, placeholders } from "./placeholder-patterns.ts";

export interface Placeholder {
  /** File and line, or the name of the setting. */
  location: string;
  text: string;
  reason: string;
}

/** The path and the text of a file. */
export type SourceText = readonly [file: string, text: string];

/** Hosts that are not on the internet; `.test` and the like are reserved (RFC 6761). */
const notPublic = /^(localhost|127\.[\d.]+|\[::1\]|.*\.(example|invalid|localhost|test))$/;

/** All that `content/` has of the example, as `npm run placeholders` and the doctor list it. */
export async function findInContent() {
  const content = await readContent();
  return {
    placeholders: findPlaceholders(content),
    claims: findClaims(content),
    creed: findCreed(content),
    clauses: findLegalClauses(content),
  };
}

export function findPlaceholders(sources: readonly SourceText[]): Placeholder[] {
  return findLines(sources, placeholders);
}

/** A line below a comment with the word `proof:` or `checked:` is one that the owner has dealt with. */
export function findClaims(sources: readonly SourceText[]): Placeholder[] {
  return findUnchecked(
    sources.filter(([file]) => claimFiles.test(file)),
    claims,
  );
}

export function findCreed(sources: readonly SourceText[]): Placeholder[] {
  return findUnchecked(sources, creed);
}

export function findLegalClauses(sources: readonly SourceText[]): Placeholder[] {
  return findUnchecked(
    sources.filter(([file]) => /^content\/(brand\.ts|imprint\.ts|legal)/.test(file)),
    legal,
  );
}

function findUnchecked(sources: readonly SourceText[], patterns: typeof claims): Placeholder[] {
  return findLines(sources, patterns, (lineBefore) => isComment(lineBefore) && /\b(proof|checked):/i.test(lineBefore));
}

function findLines(
  sources: readonly SourceText[],
  patterns: typeof claims,
  isSettled = (_lineBefore: string) => false,
): Placeholder[] {
  return sources.flatMap(([file, text]) =>
    text.split("\n").flatMap((line, index, lines) => {
      if (isComment(line) || isSettled(lines[index - 1] ?? "")) return [];
      const matches = patterns.filter(({ pattern }) => pattern.test(line));
      if (matches.length === 0) return [];
      const [found] = matches.map(({ pattern }) => pattern.exec(line.trim()));
      const reason = matches.map(({ reason }) => reason).join("; ");
      return [{ location: `${file}:${index + 1}`, text: shorten(line.trim(), found?.index ?? 0), reason }];
    }),
  );
}

/** Whether the internet may know this address. */
export function isPublic(siteUrl: string): boolean {
  return !notPublic.test(new URL(siteUrl).hostname);
}

export function siteUrlPlaceholders(siteUrl: string): Placeholder[] {
  if (isPublic(siteUrl)) return [];
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
  return /^\s*(\/\/|\/\*|\*(?!\*)|<!--)/.test(line);
}

/** At most 80 characters of the line, with what was found at `index` in them. */
function shorten(line: string, index: number): string {
  const start = line.lastIndexOf(" ", Math.max(0, Math.min(index - 20, line.length - 78))) + 1;
  const text = start === 0 || index < 60 ? line : `…${line.slice(start)}`;
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
