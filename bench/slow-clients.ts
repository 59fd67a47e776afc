/**
 * `npm run slow-clients`: do honest requests notice hundreds of clients that are slow on purpose, and how does the server
 * end while they are there? A third sends heads drop by drop, a third bodies, a third asks for files and reads nothing;
 * each is replaced as soon as the server closes it. Meanwhile others read the landing page and send contacts. Then
 * SIGTERM. Talks to 127.0.0.1 only; ends by itself. `--seconds` and `--connections` change how long and how many.
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

const { values: size } = parseArgs({
  options: { seconds: { type: "string", default: "180" }, connections: { type: "string", default: "500" } },
});
const seconds = Number(size.seconds);
const connections = Number(size.connections);

/** Between two bytes of a slow client. */
const dropMilliseconds = 1000;
/** Longer than a silent connection may last. */
const lookMilliseconds = 65_000;
/** Of each kind, how many honest requests a second. */
const honestPerSecond = 10;
/** An honest request has failed when it takes longer than a browser of ours would wait. */
const patienceMilliseconds = 15_000;
/** More than the buffers of both ends hold, in few requests: this is about slow clients, not about many requests. */
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

const firstWords: Record<Kind, string> = {
  heads: "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
  bodies:
    `POST /rest/v1/contacts HTTP/1.1\r\nHost: localhost\r\napikey: ${defaultPublicKey}\r\n` +
    "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
  "unread answers": await requestsForUnread(),
};

const started = performance.now();
let isOver = false;
try {
  for (let number = 0; number < connections; number++) openSlow(kinds[number % kinds.length] ?? "heads");
  await Promise.all([honestRequests(), showProgress()]);
  await report();
} finally {
  isOver = true;
  agent.destroy();
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();

/** As often as it takes, for the largest file of the site. */
async function requestsForUnread(): Promise<string> {
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
  let dripping: NodeJS.Timeout | undefined;
  socket.on("error", () => {});
  socket.once("connect", () => {
    slow[kind].opened += 1;
    socket.write(firstWords[kind]);
    if (kind === "unread answers") return socket.pause();
    socket.resume();
    dripping = setInterval(() => socket.write("x"), dropMilliseconds);
  });
  // A socket that is not read from learns of its end only by writing, and at the second time. More often would look alive.
  const look = () => {
    socket.write("\r\n");
    setTimeout(() => socket.write("\r\n"), dropMilliseconds);
  };
  const looking = setInterval(() => kind === "unread answers" && look(), lookMilliseconds);
  socket.once("close", () => {
    clearInterval(dripping);
    clearInterval(looking);
    if (isOver) return;
    slow[kind].closedByServer += 1;
    setTimeout(openSlow, dropMilliseconds, kind);
  });
}

async function honestRequests() {
  const underWay: Promise<void>[] = [];
  for (let number = 0; secondsPassed() < seconds; number++) {
    underWay.push(ask("GET", "/", number), ask("POST", "/rest/v1/contacts", number));
    await pause(1000 / honestPerSecond);
  }
  await Promise.all(underWay);
}

/** Counts as failed unless it is answered with success. Each comes from a public address of its own, behind a proxy. */
async function ask(method: "GET" | "POST", path: string, number: number) {
  honest.sent += 1;
  const began = performance.now();
  const status = await new Promise<number>((answered) => {
    const asked = request(
      {
        host: "127.0.0.1",
        port: site.port,
        method,
        path,
        agent,
        headers: {
          apikey: defaultPublicKey,
          "content-type": "application/json",
          "x-forwarded-for": `${11 + (number >>> 16)}.${(number >>> 8) & 255}.${number & 255}.1`,
        },
        signal: AbortSignal.timeout(patienceMilliseconds),
      },
      (answer) => answer.resume().on("end", () => answered(answer.statusCode ?? 0)),
    );
    asked.on("error", (error) => {
      console.log(`\n${method} ${path}: ${error.message}`);
      answered(0);
    });
    const contact = { name: "Ada", company: "Engines", email: `ada-${number}@example.com`, interest: "consulting" };
    asked.end(method === "POST" ? JSON.stringify(contact) : undefined);
  });
  honest.slowestMilliseconds = Math.max(honest.slowestMilliseconds, performance.now() - began);
  if (status !== 200 && status !== 201) honest.failed += 1;
}

async function showProgress() {
  while (secondsPassed() < seconds) {
    const text = `${secondsPassed().toFixed(0)} s: ${honest.sent} honest requests, ${honest.failed} failed`;
    process.stdout.write(`\r${text.padEnd(80)}\r`);
    await pause(1000);
  }
}

async function report() {
  const postgres = Number.parseInt(await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
  isOver = true;
  const stopBegan = performance.now();
  const exitCode = await site.stop();
  const stopSeconds = (performance.now() - stopBegan) / 1000;

  console.log(`\n${connections} slow connections for ${seconds} s`);
  console.table(slow);
  console.table({
    "honest requests sent": honest.sent,
    "honest requests failed": honest.failed,
    "slowest of them, ms": Math.round(honest.slowestMilliseconds),
    "seconds to stop": Number(stopSeconds.toFixed(1)),
    "exit code": exitCode,
    "PostgreSQL is gone": !isAlive(postgres),
  });
  if (honest.failed > 0 || stopSeconds > 10 || exitCode !== 0 || isAlive(postgres)) process.exitCode = 1;
}

function secondsPassed(): number {
  return (performance.now() - started) / 1000;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
