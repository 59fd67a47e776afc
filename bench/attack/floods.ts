import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { defaultPublicKey } from "#server/settings";
import { quantile } from "../load/quantile.ts";
import type { Target } from "./target.ts";

/** What the server may take while one client floods it, and how much longer a visitor may wait for the landing page. */
const memoryMegabytesMax = 250;
const pageMillisecondsMax = 200;

const floodSeconds = 8;
const pipelinedConnections = 24;
const address = { "X-Forwarded-For": "203.0.113.66" };
const accountHeaders = { apikey: defaultPublicKey, "Content-Type": "application/json", ...address };

const emptyObjects = `[${"{},".repeat(349_000)}{}]`;
const manyKeys = `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join()}}`;
const manyFields = "&a".repeat(500_000);

/** Begins what one client sends until the signal. */
type Flood = (url: string, signal: AbortSignal) => unknown;

const floods: Record<string, Flood> = {
  none: () => {},
  "empty posts of the form": pipelined(
    `POST /contact HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address["X-Forwarded-For"]}\r\nContent-Length: 0\r\n\r\n`,
  ),
  "pages that are not read": pipelined("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
  "1 MB of rows": posts("/rest/v1/contacts", accountHeaders, emptyObjects),
  "1 MB of keys": posts("/rest/v1/contacts", accountHeaders, manyKeys),
  "1 MB of keys for an account": posts("/auth/v1/logout", accountHeaders, manyKeys),
  "1 MB for an unknown path": posts("/nothing", { "Content-Type": "application/json" }, emptyObjects),
  "1 MB for the form": posts("/contact", { "Content-Type": "application/x-www-form-urlencoded" }, manyFields),
};

/** Floods the server from one client, while a visitor asks for the landing page again and again. */
export async function runFloods(target: Target): Promise<string[]> {
  const figures: Record<string, object> = {};
  const problems: string[] = [];
  let usual: number | undefined;
  for (const [name, begin] of Object.entries(floods)) {
    await forgetPeak(target.pid);
    const ending = new AbortController();
    begin(target.url, ending.signal);
    const waits = await waitsForPage(target.url);
    ending.abort();
    const megabytes = await peakMegabytes(target.pid);
    // The slowest of some hundred answers also waits for other programs of the machine.
    const [median = 0, most = 0, slowest = 0] = [0.5, 0.95, 1].map((share) => Math.round(quantile(waits, share)));
    figures[name] = { megabytes, "page, median ms": median, "95 % ms": most, "slowest ms": slowest };
    if (megabytes > memoryMegabytesMax) problems.push(`${name}: the server took ${megabytes} MB.`);
    usual ??= most;
    if (most > usual + pageMillisecondsMax) problems.push(`${name}: visitors waited ${most} ms for a page.`);
  }
  console.table(figures);
  return problems;
}

/** Many requests at once on each of some connections, without reading an answer; again when the server closes one. */
function pipelined(request: string): Flood {
  return (url, signal) => {
    const open = () => {
      if (signal.aborted) return;
      const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", signal }, () =>
        socket.write(request.repeat(195)),
      );
      socket.on("error", () => {}).once("close", () => setTimeout(open, 1000));
    };
    for (let connection = 0; connection < pipelinedConnections; connection++) open();
  };
}

/** One large body after the other. The server may end the connection before it has read all. */
function posts(path: string, headers: Record<string, string>, body: string): Flood {
  return async (url, signal) => {
    while (!signal.aborted) {
      fetch(url + path, { method: "POST", headers, body, signal }).then(
        (answer) => answer.body?.cancel(),
        () => {},
      );
      await pause(500);
    }
  };
}

/** How long a visitor waited for each answer in turn, in milliseconds. */
async function waitsForPage(url: string): Promise<number[]> {
  const waits: number[] = [];
  const until = performance.now() + floodSeconds * 1000;
  while (performance.now() < until) {
    const askedAt = performance.now();
    await (await fetch(url, { signal: AbortSignal.timeout(20_000) })).arrayBuffer();
    waits.push(performance.now() - askedAt);
    await pause(20);
  }
  return waits;
}

/** From Linux, which keeps the peak of each process. */
async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

async function forgetPeak(pid: number) {
  await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => {});
}
