/**
 * `npm run restarts`: what does a restart of PostgreSQL cost visitors? 20 contacts a second, each from a network of its
 * own, while PostgreSQL is restarted every five seconds: the embedded one by SIGKILL, or with `-- --external` one that
 * DATABASE_URL names, by `pg_ctl restart -m fast` and `-m immediate` in turns. Talks to 127.0.0.1 only and ends by
 * itself. `--seconds` changes how long it sends.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { defaultPublicKey } from "#server/settings";
import { startSite } from "#tests/support/site";
import { startEmbeddedTarget, startExternalTarget } from "./restarts/targets.ts";

const { values: given } = parseArgs({
  options: { seconds: { type: "string", default: "120" }, external: { type: "boolean", default: false } },
});
const seconds = Number(given.seconds);
const everySeconds = 5;
const contactsPerSecond = 20;
/** Longer than anything that the server promises; a request without an answer until then counts as one without. */
const answerSecondsMax = 30;

/** One request. Without an answer its status is 0. */
interface Sent {
  email: string;
  sentAt: number;
  answeredAt: number;
  status: number;
}

/** How long each restart took until PostgreSQL answered again. */
const awayMilliseconds: number[] = [];

const folder = await mkdtemp(join(tmpdir(), "restarts-"));
const dataDir = join(folder, "data");
const victim = given.external ? await startExternalTarget() : startEmbeddedTarget(dataDir);
const site = await startSite({
  dataDir,
  environment: { ...victim.environment, TRUST_PROXY: "loopback", LOG_LEVEL: "warn" },
}).catch(async (error: unknown) => {
  await victim.stop();
  throw error;
});
const stopAll = async () => {
  await site.stop();
  await victim.stop();
};
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopAll().then(() => process.exit(1)));
try {
  await run();
} finally {
  await stopAll();
}
if (process.exitCode) console.log(`What the server wrote down is in ${folder}.`);
else await rm(folder, { recursive: true, force: true });

async function run() {
  /** When each began. */
  const restarts: number[] = [];
  const sending: Promise<Sent>[] = [];
  const started = performance.now();
  const restarting = restartEvery(started, restarts);
  let memoryAtStart = 0;
  // Each at its own time, whether or not those before it are answered: visitors do not wait for each other.
  for (let number = 0; number < seconds * contactsPerSecond; number++) {
    await until(started + (number * 1000) / contactsPerSecond);
    sending.push(send(number));
    // Before the first restart, and after the first contacts have warmed everything up.
    if (number === (everySeconds - 1) * contactsPerSecond) memoryAtStart = await memoryOf(site.pid);
    if (number % contactsPerSecond === 0) progress(`${number} sent, ${restarts.length} restarts`);
  }
  const sent = await Promise.all(sending);
  await restarting;
  await report(sent, restarts, memoryAtStart);
}

async function restartEvery(started: number, restarts: number[]) {
  let backAt = started;
  for (let second = everySeconds; second < seconds; second += everySeconds) {
    // Each time at another moment between two contacts.
    await until(started + second * 1000 + ((restarts.length * 7) % (1000 / contactsPerSecond)));
    // A machine on which it was away for long gets a break, or PostgreSQL would never be there at all.
    await until(backAt + (everySeconds / 2) * 1000);
    if (performance.now() > started + seconds * 1000) return;
    const began = performance.now();
    restarts.push(began);
    await victim.restart();
    backAt = performance.now();
    awayMilliseconds.push(backAt - began);
  }
}

async function until(moment: number) {
  await pause(Math.max(0, moment - performance.now()));
}

async function send(number: number): Promise<Sent> {
  const email = `visitor-${number}@restarts.example`;
  const sentAt = performance.now();
  const status = await fetch(`${site.url}/rest/v1/contacts`, {
    method: "POST",
    headers: {
      apikey: defaultPublicKey,
      "content-type": "application/json",
      "x-forwarded-for": `203.0.${number >> 8}.${number & 255}`,
    },
    body: JSON.stringify({ name: `Visitor ${number}`, company: "Restarts", email, interest: "consulting" }),
    signal: AbortSignal.timeout(answerSecondsMax * 1000),
  }).then(
    (answer) => answer.arrayBuffer().then(() => answer.status),
    () => 0,
  );
  return { email, sentAt, answeredAt: performance.now(), status };
}

async function report(sent: readonly Sent[], restarts: readonly number[], memoryAtStart: number) {
  const stored = (await victim.query<{ email: string }>("select email from contacts")).map(({ email }) => email);
  const isStored = new Set(stored);
  const accepted = sent.filter(({ status }) => status >= 200 && status < 300);
  const failed = sent.filter(({ status }) => status >= 500 || status === 0);
  const isInFlight = (request: Sent) => restarts.some((restart) => wasInFlight(request, restart));
  const inFlight = failed.filter(isInFlight);
  const waits = sent.map(({ sentAt, answeredAt }) => answeredAt - sentAt).toSorted((a, b) => a - b);
  const isAlive = (await fetch(site.url).catch(() => undefined))?.status === 200;

  const mustBeNone = {
    "5xx or no answer, had not begun": failed.length - inFlight.length,
    "any other answer": sent.length - accepted.length - failed.length,
    lost: accepted.filter(({ email }) => !isStored.has(email)).length,
    doubled: stored.length - isStored.size,
  };
  progress("");
  console.table({
    PostgreSQL: given.external ? "external, pg_ctl restart" : "embedded, SIGKILL",
    restarts: restarts.length,
    "requests sent": sent.length,
    "answered 2xx": accepted.length,
    "5xx or no answer, in flight at a restart": inFlight.length,
    ...mustBeNone,
    "longest time without PostgreSQL, ms": Math.round(Math.max(0, ...awayMilliseconds)),
    "of these longer than the 5 s that requests wait": awayMilliseconds.filter((away) => away > 5000).length,
    "slowest answer, ms": Math.round(waits.at(-1) ?? 0),
    "median answer, ms": Math.round(waits[Math.floor(waits.length / 2)] ?? 0),
    "in flight at a restart, in all": sent.filter(isInFlight).length,
    "server process": isAlive ? `${site.pid}, the same` : "gone",
    "memory before the first restart, MB": memoryAtStart,
    "memory at the end, MB": await memoryOf(site.pid),
  });
  if (isAlive && Object.values(mustBeNone).every((count) => count === 0)) return;

  process.exitCode = 1;
  await writeFile(join(folder, "server.log"), site.output());
}

/** Sent before the restart and not answered by then. Whatever was sent later had not begun. */
function wasInFlight({ sentAt, answeredAt }: Sent, restart: number): boolean {
  return sentAt <= restart && answeredAt >= restart;
}

/** Resident memory of a process; 0 where the system has no /proc. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024);
}

function progress(words: string) {
  process.stdout.write(`\r${words.padEnd(60)}\r`);
}
