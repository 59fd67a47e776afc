import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { get, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { freePort } from "#tests/support/site";
import { startNginx } from "../load/nginx.ts";
import { alternate, compare, type Row, type Run, startBenchSite } from "./comparison.ts";
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

/** How close is a page from memory to the fastest server of the same bytes? Each server has a core of its own. */
export async function page(run: Run): Promise<Row[]> {
  const site = await startBenchSite(run);
  await pin(run, site.pid, cores.server);
  const [script = ""] = /\/_astro\/[\w.-]+\.js/.exec(await (await fetch(site.url)).text()) ?? [];
  return [
    ...(await compareAnswers(run, "landing page", `${site.url}/`, { goal: { ratioAtLeast: 0.8 } })),
    // The browser has the page already, and asks with its ETag.
    ...(await compareAnswers(run, "landing page, 304", `${site.url}/`, { isCached: true })),
    ...(await compareAnswers(run, "hashed script", site.url + script, {})),
  ];
}

interface Options {
  isCached?: boolean;
  goal?: { ratioAtLeast: number };
}

async function compareAnswers(run: Run, question: string, url: string, { isCached, goal }: Options): Promise<Row[]> {
  const whole = await ask(url);
  const tagOf = ({ headers }: Answer) => (isCached ? { "if-none-match": String(headers.etag) } : undefined);
  const bare = await startBareServer(run, await ask(url, tagOf(whole)));
  const nginx = await startFileServer(run, whole);
  const nginxTag = tagOf(await ask(nginx.url));

  const load =
    (url: string, headers = {}) =>
    async (seconds: number) => {
      const all = { ...asBrowser, ...headers };
      return (await wrk(run, { url, seconds, headers: all, within: onCore(cores.load) })).perSecond;
    };
  // Short rounds, because a noise that is longer than a round hits both sides of its ratio.
  const figures = await alternate(
    { ...run, rounds: run.rounds * 2, seconds: 1 },
    { ours: load(url, tagOf(whole)), "node:http": load(bare), nginx: load(nginx.url, nginxTag) },
  );
  await nginx.stop();
  const row = { question, unit: "/s", ours: figures.ours } as const;
  return [
    compare({ ...row, rival: { name: "node:http", figures: figures["node:http"] }, goal }),
    compare({ ...row, rival: { name: "nginx", figures: figures.nginx } }),
  ];
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Not `fetch`, which would decompress the body. */
function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { ...asBrowser, ...headers } }, async (response) => {
      const body = await buffer(response);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    request.on("error", reject);
  });
}

/** These headers depend on the connection or the moment, so each server writes its own. */
const ownHeaders = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

function copiedHeaders({ headers }: Answer): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (ownHeaders.has(name) ? [] : [[name, String(value)]]));
}

/** Starts node:http with nothing but this answer. Resolves with its URL. */
async function startBareServer({ signal }: Run, answer: Answer): Promise<string> {
  const file = fileURLToPath(new URL("./rivals/bare-server.ts", import.meta.url));
  const headers = Object.fromEntries(copiedHeaders(answer));
  if (answer.body.length > 0) headers["content-length"] = String(answer.body.length);
  const [program = "", ...args] = [...onCore(cores.server), process.execPath, file];
  const child = spawn(program, args, { signal, stdio: ["pipe", "pipe", "inherit"] });
  child.on("error", (error) => !signal.aborted && console.error(error));
  child.stdin.end(JSON.stringify({ status: answer.status, headers, body: answer.body.toString("base64") }));
  const [line] = await once(child.stdout, "data", { signal });
  return `http://127.0.0.1:${JSON.parse(String(line)).port}/`;
}

/** Starts nginx with the compressed answer as a file, and the headers of the answer. */
async function startFileServer({ folder }: Run, answer: Answer) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/answer`;
  const headers = copiedHeaders(answer).filter(([name]) => name !== "etag" && name !== "content-type");
  await writeFile(join(folder, "answer"), answer.body);
  const http = `access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; open_file_cache max=10;
server {
  listen 127.0.0.1:${port};
  root ${folder};
  location = /answer {
    default_type "${answer.headers["content-type"]}";
    ${headers.map(([name, value]) => `add_header ${name} ${JSON.stringify(value)};`).join("\n    ")}
  }
}`;
  return { url, stop: await startNginx({ folder, http, url, within: onCore(cores.server) }) };
}
