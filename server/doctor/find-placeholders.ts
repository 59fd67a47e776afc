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

/** The files whose sentences visitors read as facts about the company. */
const claimFiles = /^content\/(landing|services|projects|pages|contact)\.ts$/;

/**
 * Sentences that a competitor or a consumer may ask an owner to prove. The first ones ship with this product and are
 * true of nobody yet; the last two find what is usually written instead.
 */
const claims: readonly { pattern: RegExp; reason: string }[] = [
  { pattern: /products (of our own|we own)|product portfolio of our own/, reason: "says that you own products" },
  { pattern: /real product with real costs/, reason: "says that each project is real, and costs money" },
  { pattern: /are being built|[Ii]n development/, reason: "says how far a project is" },
  {
    pattern: /scale products internationally|one country at a time/,
    reason: "says that you work in several countries",
  },
  { pattern: /strategies (that work|that scale)/, reason: "promises a result" },
  { pattern: /[Ss]hared risk/, reason: "promises that you bear a part of the risk" },
  { pattern: /[Hh]alf an hour, free|costs nothing/, reason: "an offer that you must keep" },
  { pattern: /No scoring and no automatic sequence/, reason: "says how you read what people send" },
  {
    pattern:
      /\b\d[\d.,]*\s?(%|\+|×|x\b|(percent|times|clients|customers|companies|brands|countries|markets|years|users|downloads|million)\b)/i,
    reason: "a number that you must be able to prove",
  },
  {
    pattern: /\b(award|certified|guarantee|leading|market leader|number one|proven|trusted by)/i,
    reason: "praise that you must be able to prove",
  },
];

/** Hosts that are not on the internet; `.test` and the like are reserved (RFC 6761). */
const notPublic = /^(localhost|127\.[\d.]+|\[::1\]|.*\.(example|invalid|localhost|test))$/;

export function findPlaceholders(sources: readonly SourceText[]): Placeholder[] {
  return findLines(sources, placeholders);
}

/** A claim below a comment with the word `proof:` is one that the owner can prove. */
export function findClaims(sources: readonly SourceText[]): Placeholder[] {
  const inFiles = sources.filter(([file]) => claimFiles.test(file));
  return findLines(inFiles, claims, (lineBefore) => isComment(lineBefore) && /\bproof:/i.test(lineBefore));
}

function findLines(
  sources: readonly SourceText[],
  patterns: readonly { pattern: RegExp; reason: string }[],
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
  return /^\s*(\/\/|\/\*|\*)/.test(line);
}

/** At most 80 characters of the line, with what was found at `index` in them. */
function shorten(line: string, index: number): string {
  const start = line.lastIndexOf(" ", Math.max(0, Math.min(index - 20, line.length - 78))) + 1;
  const text = start === 0 || index < 60 ? line : `…${line.slice(start)}`;
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
