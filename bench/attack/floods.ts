import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { defaultPublicKey } from "#server/settings";
import { quantile } from "../load/quantile.ts";
import type { Tally, Target } from "./target.ts";

/** What the server may take while one client floods it, and how much longer a visitor may wait for the landing page. */
const memoryMegabytesMax = 250;
const pageMillisecondsMax = 200;

const floodSeconds = 8;
const address = "X-Forwarded-For: 203.0.113.66\r\n";
const accountHeaders = `apikey: ${defaultPublicKey}\r\nContent-Type: application/json\r\n${address}`;

const emptyObjects = `[${"{},".repeat(349_000)}{}]`;
const manyKeys = `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join()}}`;

/** What one client sends: on each of its connections `text`, and again on a new one if the server has closed it. */
interface Flood {
  connections: number;
  text: string;
  /** Whether the client reads its answers. */
  reads?: boolean;
  /** How often each connection sends, in milliseconds; without it, once. */
  every?: number;
}

const pipelined = (text: string): Flood => ({ connections: 24, text: text.repeat(195) });
const body = (path: string, headers: string, text: string): Flood => ({
  connections: 1,
  text: `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  reads: true,
  every: 500,
});

const floods: Record<string, Flood> = {
  none: { connections: 0, text: "" },
  "empty posts of the form": pipelined(`POST /contact HTTP/1.1\r\nHost: x\r\n${address}Content-Length: 0\r\n\r\n`),
  "pages that are not read": pipelined("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
  "1 MB of rows": body("/rest/v1/contacts", accountHeaders, emptyObjects),
  "1 MB of keys": body("/rest/v1/contacts", accountHeaders, manyKeys),
  "1 MB of keys for an account": body("/auth/v1/logout", accountHeaders, manyKeys),
  "1 MB for an unknown path": body("/nothing", "Content-Type: application/json\r\n", emptyObjects),
  "1 MB for the form": body("/contact", "Content-Type: application/x-www-form-urlencoded\r\n", "&a".repeat(500_000)),
};

interface FloodTally extends Tally {
  figures: Record<string, object>;
}

/** Floods the server from one client, while a visitor asks for the landing page again and again. */
export async function runFloods(target: Target): Promise<FloodTally> {
  const tally: FloodTally = { requests: 0, problems: [], figures: {} };
  const { port, origin } = new URL(target.url);
  let usual: number | undefined;
  for (const [name, flood] of Object.entries(floods)) {
    await forgetPeak(target.pid);
    const stop = begin(flood, Number(port));
    const waits = await waitsForPage(origin);
    tally.requests += stop();
    const megabytes = await peakMegabytes(target.pid);
    // The slowest of some hundred answers also waits for other programs of the machine.
    const [median, most, slowest] = [0.5, 0.95, 1].map((share) => Math.round(quantile(waits, share))) as [
      number,
      number,
      number,
    ];
    tally.figures[name] = { megabytes, "page, median ms": median, "95 % ms": most, "slowest ms": slowest };
    if (megabytes > memoryMegabytesMax) tally.problems.push(`${name}: the server took ${megabytes} MB.`);
    usual ??= most;
    if (most > usual + pageMillisecondsMax) tally.problems.push(`${name}: visitors waited ${most} ms for a page.`);
  }
  return tally;
}

/** Returns what ends the flood, and tells how often it was sent. */
function begin({ connections, text, reads = false, every }: Flood, port: number): () => number {
  const ending = new AbortController();
  let sent = 0;
  const open = () => {
    if (ending.signal.aborted) return;
    const socket = connect(port, "127.0.0.1");
    const send = () => {
      sent += 1;
      socket.write(text);
    };
    if (reads) socket.resume();
    socket.once("connect", send);
    const timer = every ? setInterval(send, every) : undefined;
    const end = () => socket.destroy();
    ending.signal.addEventListener("abort", end);
    socket.on("error", () => {});
    socket.once("close", () => {
      clearInterval(timer);
      ending.signal.removeEventListener("abort", end);
      setTimeout(open, every ?? 1000);
    });
  };
  for (let connection = 0; connection < connections; connection++) open();
  return () => {
    ending.abort();
    return sent;
  };
}

/** How long a visitor waited for each answer in turn, in milliseconds. */
async function waitsForPage(origin: string): Promise<number[]> {
  const waits: number[] = [];
  const until = performance.now() + floodSeconds * 1000;
  while (performance.now() < until) {
    const askedAt = performance.now();
    await (await fetch(origin, { signal: AbortSignal.timeout(20_000) })).arrayBuffer();
    waits.push(Math.round(performance.now() - askedAt));
    await pause(20);
  }
  return waits;
}

/** From Linux, which keeps the peak of each process. */
async function peakMegabytes(pid: number): Promise<number> {
  const [, kilobytes = "0"] =
    /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

async function forgetPeak(pid: number) {
  await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => {});
}
