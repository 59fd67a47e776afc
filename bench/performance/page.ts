import { spawn } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { compareSides, type Run, startBenchSite } from "./comparison.ts";
import { cores, onCore, pin, wrk } from "./programs.ts";

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

/** How close is a page from memory to the fastest server of Node with the same bytes? Each server has a core of its own. */
export async function page(run: Run) {
  const site = await startBenchSite(run);
  await pin(run, site.pid, cores.server);
  const [script = ""] = /\/_astro\/[\w.-]+\.js/.exec(await (await fetch(site.url)).text()) ?? [];
  const { headers } = await ask(`${site.url}/`);
  return [
    ...(await compareAnswer(run, "landing page", { url: `${site.url}/`, goal: { ratioAtLeast: 0.8 } })),
    // The browser has the page already, and asks with its ETag.
    ...(await compareAnswer(run, "landing page, 304", {
      url: `${site.url}/`,
      headers: { "if-none-match": headers.etag },
    })),
    ...(await compareAnswer(run, "hashed script", { url: site.url + script })),
  ];
}

interface Asked {
  url: string;
  headers?: Record<string, string | undefined>;
  goal?: { ratioAtLeast: number };
}

async function compareAnswer(run: Run, question: string, { url, headers, goal }: Asked) {
  const bare = await startBareServer(run, await ask(url, headers));
  const load = (url: string) => (seconds: number) =>
    wrk(run, { url, seconds, headers: { ...asBrowser, ...headers }, within: onCore(cores.load) });
  // Short rounds, because a noise that is longer than a round hits both sides of its ratio.
  return compareSides(
    { ...run, rounds: run.rounds * 2, seconds: 1 },
    { [question]: load(url), "node:http": load(bare) },
    [{ question, rival: "node:http", goal }],
  );
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Not `fetch`, which would decompress the body. */
async function ask(url: string, headers: Asked["headers"] = {}): Promise<Answer> {
  const [response] = await once(get(url, { headers: { ...asBrowser, ...headers } }), "response");
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

/** These headers depend on the connection or the moment, so each server writes its own. */
const ownHeaders = ["connection", "date", "keep-alive", "transfer-encoding"];

/** Starts node:http with nothing but this answer. Resolves with its URL. */
async function startBareServer({ signal }: Run, { status, headers, body }: Answer): Promise<string> {
  const file = fileURLToPath(new URL("./rivals/bare-server.ts", import.meta.url));
  const copied = Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.includes(name)));
  const [program = "", ...args] = [...onCore(cores.server), process.execPath, file];
  const child = spawn(program, args, { signal, stdio: ["pipe", "pipe", "inherit"] });
  child.on("error", (error) => !signal.aborted && console.error(error));
  child.stdin.end(JSON.stringify({ status, headers: copied, body: body.toString("base64") }));
  const [line] = await once(child.stdout, "data", { signal });
  return `http://127.0.0.1:${JSON.parse(String(line)).port}/`;
}
