import { get, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Answer, startBareServer, startNginx } from "./page-rivals.ts";
import { cores, findMissing, pin } from "./programs.ts";
import { compare, type Row } from "./row.ts";
import { alternate, type Run } from "./run.ts";
import { startBenchSite } from "./site.ts";
import { wrk } from "./wrk.ts";

/** What Chromium sends with a navigation. */
const asBrowser = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "accept-encoding": "gzip, deflate, br, zstd",
  "accept-language": "en-GB,en;q=0.9",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
  "upgrade-insecure-requests": "1",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
};

interface Case {
  question: string;
  path: string;
  /** Whether the browser has the page already, and asks with its ETag. */
  isCached?: true;
  goal?: { ratioAtLeast: number };
}

/** How close is a page from memory to the fastest server of the same bytes? Each server has a core of its own. */
export async function page(run: Run): Promise<Row[]> {
  const site = await startBenchSite(run);
  await pin(run, site.pid, cores.server);
  const html = await (await fetch(site.url)).text();
  const [script = ""] = /\/_astro\/[\w.-]+\.js/.exec(html) ?? [];

  const missing = findMissing("nginx");
  if (missing) run.progress(`without nginx: ${missing}`);

  const cases: Case[] = [
    { question: "landing page", path: "/", goal: { ratioAtLeast: 0.8 } },
    { question: "landing page, 304", path: "/", isCached: true },
    { question: "hashed script", path: script },
  ];
  const rows: Row[] = [];
  for (const { question, path, isCached, goal } of cases) {
    const { headers } = await ask(site.url + path);
    const cached = (tag: unknown): Record<string, string> => (isCached ? { "if-none-match": String(tag) } : {});
    const answer = await ask(site.url + path, cached(headers.etag));
    const bare = await startBareServer(run, answer);
    const nginx = missing ? undefined : await startNginx(run, await ask(site.url + path));
    const nginxTag = nginx && (await ask(nginx)).headers.etag;

    const load = (url: string, more: Record<string, string>) => async (seconds: number) =>
      (await wrk(run, { url, seconds, headers: { ...asBrowser, ...more }, core: cores.load })).perSecond;
    const sides: Record<string, (seconds: number) => Promise<number>> = {
      [question]: load(site.url + path, cached(headers.etag)),
      "node:http": load(bare, {}),
      ...(nginx && { nginx: load(nginx, cached(nginxTag)) }),
    };
    // Short rounds, because a noise that is longer than a round hits both sides of its ratio.
    const figures = await alternate({ ...run, rounds: run.rounds * 2, seconds: 1 }, sides);
    const ours = figures[question] ?? [];
    for (const name of ["node:http", ...(nginx ? ["nginx"] : [])]) {
      const rival = { name, figures: figures[name] ?? [] };
      rows.push(compare({ question, unit: "/s", ours, rival, ...(name === "node:http" && goal && { goal }) }));
    }
  }
  return rows;
}

/** Not `fetch`, which would decompress the body. */
function ask(url: string, headers: Record<string, string> = {}): Promise<Answer & { headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { ...asBrowser, ...headers } }, async (response) => {
      const body = await buffer(response);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    request.on("error", reject);
  });
}
