import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type PlaceholderKind, placeholderKinds } from "./placeholder-patterns.ts";

export interface Placeholder {
  /** File and line, or the name of the setting. */
  location: string;
  text: string;
  reason: string;
}

export type SourceText = readonly [file: string, text: string];

/** Hosts that are not on the internet; `.test` and the like are reserved (RFC 6761). */
const notPublic = /^(localhost|127\.[\d.]+|\[::1\]|.*\.(example|invalid|localhost|test))$/;

/** All that `content/` has of the example, as `npm run placeholders` and the doctor list it. */
export async function findInContent(): Promise<Record<keyof typeof placeholderKinds, Placeholder[]>> {
  const content = await readContent();
  const find = (kind: PlaceholderKind) => findPlaceholders(kind, content);
  const { toReplace, toProve, creed, clauses } = placeholderKinds;
  return { toReplace: find(toReplace), toProve: find(toProve), creed: find(creed), clauses: find(clauses) };
}

export function findPlaceholders(
  { files, patterns, settledBy }: PlaceholderKind,
  content: readonly SourceText[],
): Placeholder[] {
  return content
    .filter(([file]) => files.test(file))
    .flatMap(([file, text]) =>
      text.split("\n").flatMap((line, index, lines) => {
        const before = lines[index - 1] ?? "";
        if (isComment(line) || (isComment(before) && settledBy?.test(before))) return [];
        const matches = patterns.filter(([pattern]) => pattern.test(line));
        if (!matches[0]) return [];
        const reason = matches.map(([, reason]) => reason).join("; ");
        return [{ location: `${file}:${index + 1}`, text: shorten(line.trim(), matches[0][0]), reason }];
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

async function readContent(): Promise<SourceText[]> {
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
  return /^\s*(\/\/|\/\*|\*(?!\*)|<!--|# (proof|checked):)/i.test(line);
}

/** At most 80 characters of the line, with what was found in them. */
function shorten(line: string, pattern: RegExp): string {
  const start = Math.max(0, line.search(pattern) - 40);
  const text = (start > 0 ? "…" : "") + line.slice(start).trimStart();
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
