import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

export type Encoding = "br" | "gzip" | "identity";

/** What an asset answers in one encoding. Only the request id depends on the request, so the rest is made once. */
export interface Answer {
  body: Buffer;
  tag: string;
  /** Names and values in turn, as `writeHead` takes them without a copy. */
  headers: string[];
  headersIfUnchanged: string[];
}

/** One built file in all its encodings, in memory. */
export interface Asset {
  bodies: Readonly<Partial<Record<Encoding, Buffer>>> & { identity: Buffer };
  /** The hash of the file without encoding; the ETag adds the name of the encoding. */
  hash: string;
  type: string;
  cacheControl: string;
  /** The policy in a page's `<meta>`, with the hashes that Astro wrote into it; undefined for other files than HTML. */
  contentSecurityPolicy: string | undefined;
  /** A page that search engines may list. */
  isListed?: boolean;
  /** The headers of all answers of this server. Other answers get them from a hook. */
  siteHeaders?: Readonly<Record<string, string>>;
  answers?: Partial<Record<Encoding, Answer>>;
  /** A page that is filled in for each request, around the part that changes. */
  template?: { before: Buffer; part: string; after: Buffer };
}

/** Holds the scripts of the last build at their own paths. */
export const lastBuildFolder = ".last-build";

const types: Readonly<Record<string, string>> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webp": "image/webp",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".woff2": "font/woff2",
  ".xml": "application/xml; charset=utf-8",
};

/**
 * Reads the built site into memory, by path: `index.html` is `/`, `thanks.html` is `/thanks`, a script keeps its name.
 */
export async function readAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && extname(entry.name) in types)
    .map((entry) => join(entry.parentPath, entry.name));

  return new Map(
    await Promise.all(files.map(async (file) => [addressOf(relative(folder, file)), await readAsset(file)] as const)),
  );
}

function addressOf(file: string): string {
  const path = `/${file.split(sep).join("/")}`.replace(`/${lastBuildFolder}/`, "/");
  if (path.endsWith("/index.html")) return path.slice(0, -"index.html".length);
  return path.endsWith(".html") ? path.slice(0, -".html".length) : path;
}

async function readAsset(file: string): Promise<Asset> {
  const [identity, br, gzip] = await Promise.all([
    readFile(file),
    readIfThere(`${file}.br`),
    readIfThere(`${file}.gz`),
  ]);
  const isPage = file.endsWith(".html");
  return {
    bodies: { identity, ...(br && { br }), ...(gzip && { gzip }) },
    hash: createHash("sha256").update(identity).digest("base64url").slice(0, 22),
    type: types[extname(file)] ?? "application/octet-stream",
    cacheControl: cacheControlOf(file),
    contentSecurityPolicy: isPage ? policyIn(identity.toString()) : undefined,
    isListed: isPage && !identity.includes('<meta name="robots" content="noindex"'),
  };
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch(() => undefined);
}

function cacheControlOf(file: string): string {
  // Files below `_astro` have a hash of their content in their name; all others may change with a build.
  if (file.split(sep).includes("_astro")) return "public, max-age=31536000, immutable";
  return "no-cache";
}

function policyIn(html: string): string | undefined {
  return /<meta http-equiv="content-security-policy" content="([^"]*)"/i.exec(html)?.[1];
}
