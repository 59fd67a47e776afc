/**
 * `npm run slow-clients`: do honest requests fail during a slowloris attack, and does the server still shut down
 * properly? One third of the connections sends its request head byte by byte. One third sends its request body byte by
 * byte. One third requests files and does not read the answers. When the server closes such a connection, a new one
 * replaces it. Meanwhile honest clients read the landing page and send contacts. At the end the server gets SIGTERM.
 * Uses 127.0.0.1 only. `--seconds` and `--connections` set how long the attack lasts and how many connections it has.
 */
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { defaultPublicKey } from "#server/settings";
import { startSite, testSiteSettings } from "#tests/support/site";
import { isAlive } from "../scripts/leftover-processes.mjs";
import { publicAddress } from "./load/requests.ts";

const { values: options } = parseArgs({
  options: { seconds: { type: "string", default: "180" }, connections: { type: "string", default: "500" } },
});
const seconds = Number(options.seconds);
const connections = Number(options.connections);

/** The time between two bytes of a slow client. */
const byteMilliseconds = 1000;
/**
 * A client that reads nothing tests at this interval whether the server has closed its connection. The interval is
 * longer than the server waits for a client to read.
 */
const probeMilliseconds = 65_000;
/** Each second, honest clients read the landing page this many times and send this many contacts. */
const honestPerSecond = 10;
/** The time limit of the site's own client (docs/specification.md#time-limit-of-a-call). */
const answerMillisecondsMax = 15_000;
/**
 * The size of the answers that a client leaves unread. The socket buffers of both ends cannot hold so much, so the
 * server has to wait for the client.
 */
const unreadBytes = 8 * 1024 * 1024;

const kinds = ["heads", "bodies", "unread answers"] as const;
type Kind = (typeof kinds)[number];

const slow = Object.fromEntries(kinds.map((kind) => [kind, { opened: 0, closedByServer: 0 }])) as Record<
  Kind,
  { opened: number; closedByServer: number }
>;
const honest = { sent: 0, failed: 0, slowestMilliseconds: 0 };
const agent = new Agent({ keepAlive: true, maxSockets: 50 });

const dataDir = await mkdtemp(join(tmpdir(), "slow-clients-"));
const site = await startSite({
  dataDir,
  environment: { HOST: "127.0.0.1", TRUST_PROXY: "loopback", LOG_LEVEL: "error" },
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
    process.exit(1);
  });
}

const openings: Record<Kind, string> = {
  heads: "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
  bodies:
    `POST /rest/v1/contacts HTTP/1.1\r\nHost: localhost\r\napikey: ${defaultPublicKey}\r\n` +
    "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
  "unread answers": await requestsForLargestFile(),
};

const started = performance.now();
let isEnding = false;
try {
  for (let number = 0; number < connections; number++) openSlow(kinds[number % kinds.length] ?? "heads");
  await Promise.all([sendHonestRequests(), showProgress()]);
  await report();
} finally {
  isEnding = true;
  agent.destroy();
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();

/**
 * Returns many requests for the site's largest script: so many that their answers together have at least `unreadBytes`.
 */
async function requestsForLargestFile(): Promise<string> {
  const folder = join(fileURLToPath(new URL("../", import.meta.url)), testSiteSettings.BUILD_DIR, "_astro");
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })),
  );
  const [largest] = files.filter(({ name }) => name.endsWith(".js")).sort((one, other) => other.bytes - one.bytes);
  if (!largest) throw new Error("The site has no scripts.");
  const request = `GET /_astro/${largest.name} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  return request.repeat(Math.ceil(unreadBytes / largest.bytes));
}

function openSlow(kind: Kind) {
  const socket = connect(site.port, "127.0.0.1");
  let byteTimer: NodeJS.Timeout | undefined;
  socket.on("error", () => {});
  socket.once("connect", () => {
    slow[kind].opened += 1;
    socket.write(openings[kind]);
    if (kind === "unread answers") return socket.pause();
    socket.resume();
    byteTimer = setInterval(() => socket.write("x"), byteMilliseconds);
  });
  // A client that does not read detects only at its second write that the server has closed the connection. If it wrote
  // more often, it would seem active, and the server would not close the connection.
  const probe = () => {
    socket.write("\r\n");
    setTimeout(() => socket.write("\r\n"), byteMilliseconds);
  };
  const probeTimer = setInterval(() => kind === "unread answers" && probe(), probeMilliseconds);
  socket.once("close", () => {
    clearInterval(byteTimer);
    clearInterval(probeTimer);
    if (isEnding) return;
    slow[kind].closedByServer += 1;
    setTimeout(openSlow, byteMilliseconds, kind);
  });
}

async function sendHonestRequests() {
  const pending: Promise<void>[] = [];
  for (let number = 0; secondsElapsed() < seconds; number++) {
    pending.push(sendHonest("GET", "/", number), sendHonest("POST", "/rest/v1/contacts", number));
    await pause(1000 / honestPerSecond);
  }
  await Promise.all(pending);
}

/** Each request comes from a public address of its own, as behind a proxy. */
async function sendHonest(method: "GET" | "POST", path: string, number: number) {
  honest.sent += 1;
  const startedAt = performance.now();
  const status = await new Promise<number>((resolve) => {
    const call = request(
      {
        host: "127.0.0.1",
        port: site.port,
        method,
        path,
        agent,
        headers: {
          apikey: defaultPublicKey,
          "content-type": "application/json",
          "x-forwarded-for": publicAddress(number),
        },
        signal: AbortSignal.timeout(answerMillisecondsMax),
      },
      (answer) => answer.resume().on("end", () => resolve(answer.statusCode ?? 0)),
    );
    call.on("error", (error) => {
      console.log(`\n${method} ${path}: ${error.message}`);
      resolve(0);
    });
    const contact = { name: "Ada", company: "Engines", email: `ada-${number}@example.com`, interest: "consulting" };
    call.end(method === "POST" ? JSON.stringify(contact) : undefined);
  });
  honest.slowestMilliseconds = Math.max(honest.slowestMilliseconds, performance.now() - startedAt);
  if (status !== 200 && status !== 201) honest.failed += 1;
}

async function showProgress() {
  while (secondsElapsed() < seconds) {
    const text = `${secondsElapsed().toFixed(0)} s: ${honest.sent} honest requests, ${honest.failed} failed`;
    process.stdout.write(`\r${text.padEnd(80)}\r`);
    await pause(1000);
  }
}

async function report() {
  const postgresPid = Number.parseInt(await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
  isEnding = true;
  const stopStartedAt = performance.now();
  const exitCode = await site.stop();
  const stopSeconds = (performance.now() - stopStartedAt) / 1000;

  console.log(`\n${connections} slow connections for ${seconds} s`);
  console.table(slow);
  console.table({
    "honest requests sent": honest.sent,
    "honest requests failed": honest.failed,
    "slowest of them, ms": Math.round(honest.slowestMilliseconds),
    "seconds to stop": Number(stopSeconds.toFixed(1)),
    "exit code": exitCode,
    "PostgreSQL is gone": !isAlive(postgresPid),
  });
  if (honest.failed > 0 || stopSeconds > 10 || exitCode !== 0 || isAlive(postgresPid)) process.exitCode = 1;
}

function secondsElapsed(): number {
  return (performance.now() - started) / 1000;
}
