/**
 * `npm run restarts`: which requests fail during a restart of PostgreSQL? Sends 20 contacts a second, each from a
 * network of its own, while PostgreSQL is restarted every five seconds. SIGKILL ends the embedded PostgreSQL; with
 * `-- --external` the server uses another one (DATABASE_URL), which `pg_ctl` restarts alternately with `-m fast` and
 * `-m immediate`. Uses 127.0.0.1 only. `--seconds` sets how long it sends contacts.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startSite } from "#tests/support/site";
import { quantile } from "./load/quantile.ts";
import { jsonRequest, publicAddress } from "./load/requests.ts";
import { startEmbeddedTarget, startExternalTarget } from "./restarts/targets.ts";

const { values: options } = parseArgs({
  options: { seconds: { type: "string", default: "120" }, external: { type: "boolean", default: false } },
});
const seconds = Number(options.seconds);
const secondsPerRestart = 5;
const contactsPerSecond = 20;
/**
 * A request without an answer after this time counts as unanswered. This is longer than every time limit of the server.
 */
const answerSecondsMax = 30;

/** One request. Without an answer its status is 0. */
interface Sent {
  email: string;
  sentAt: number;
  answeredAt: number;
  status: number;
}

/** For each restart, how long PostgreSQL did not answer. */
const outageMilliseconds: number[] = [];

const folder = await mkdtemp(join(tmpdir(), "restarts-"));
const dataDir = join(folder, "data");
const target = options.external ? await startExternalTarget() : startEmbeddedTarget(dataDir);
const site = await startSite({
  dataDir,
  environment: { ...target.environment, TRUST_PROXY: "loopback", LOG_LEVEL: "warn" },
}).catch(async (error: unknown) => {
  await target.stop();
  throw error;
});
const stopAll = async () => {
  await site.stop();
  await target.stop();
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
  /** When each restart began. */
  const restarts: number[] = [];
  const sending: Promise<Sent>[] = [];
  const started = performance.now();
  const restarting = restartEvery(started, restarts);
  let memoryAtStart = 0;
  // An open loop: each contact is sent at its planned time, whether or not the earlier ones are answered.
  for (let number = 0; number < seconds * contactsPerSecond; number++) {
    await pauseUntil(started + (number * 1000) / contactsPerSecond);
    sending.push(send(number));
    // Measure before the first restart, but after the first contacts have opened connections and compiled code.
    if (number === (secondsPerRestart - 1) * contactsPerSecond) memoryAtStart = await memoryOf(site.pid);
    if (number % contactsPerSecond === 0) progress(`${number} sent, ${restarts.length} restarts`);
  }
  const sent = await Promise.all(sending);
  await restarting;
  await report(sent, restarts, memoryAtStart);
}

async function restartEvery(started: number, restarts: number[]) {
  let restartedAt = started;
  for (let second = secondsPerRestart; second < seconds; second += secondsPerRestart) {
    // Each restart begins at a different moment between two contacts.
    await pauseUntil(started + second * 1000 + ((restarts.length * 7) % (1000 / contactsPerSecond)));
    // On a slow machine a restart takes long. Without a pause after it, PostgreSQL would never be up.
    await pauseUntil(restartedAt + (secondsPerRestart / 2) * 1000);
    if (performance.now() > started + seconds * 1000) return;
    const began = performance.now();
    restarts.push(began);
    await target.restart();
    restartedAt = performance.now();
    outageMilliseconds.push(restartedAt - began);
  }
}

async function pauseUntil(moment: number) {
  await pause(Math.max(0, moment - performance.now()));
}

async function send(number: number): Promise<Sent> {
  const email = `visitor-${number}@restarts.example`;
  const sentAt = performance.now();
  const status = await fetch(`${site.url}/rest/v1/contacts`, {
    ...jsonRequest(
      { name: `Visitor ${number}`, company: "Restarts", email, interest: "consulting" },
      { "x-forwarded-for": publicAddress(number) },
    ),
    signal: AbortSignal.timeout(answerSecondsMax * 1000),
  }).then(
    (answer) => answer.arrayBuffer().then(() => answer.status),
    () => 0,
  );
  return { email, sentAt, answeredAt: performance.now(), status };
}

async function report(sent: readonly Sent[], restarts: readonly number[], memoryAtStart: number) {
  const stored = (await target.query<{ email: string }>("select email from contacts")).map(({ email }) => email);
  const isStored = new Set(stored);
  const accepted = sent.filter(({ status }) => status >= 200 && status < 300);
  const failed = sent.filter(({ status }) => status >= 500 || status === 0);
  const isInFlight = (request: Sent) => restarts.some((restart) => wasInFlight(request, restart));
  const inFlight = failed.filter(isInFlight);
  const answerTimes = sent.map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  const isAlive = (await fetch(site.url).catch(() => undefined))?.status === 200;

  const mustBeZero = {
    "5xx or no answer, not in flight at a restart": failed.length - inFlight.length,
    "any other answer": sent.length - accepted.length - failed.length,
    lost: accepted.filter(({ email }) => !isStored.has(email)).length,
    doubled: stored.length - isStored.size,
  };
  progress("");
  console.table({
    PostgreSQL: options.external ? "external, pg_ctl restart" : "embedded, SIGKILL",
    restarts: restarts.length,
    "requests sent": sent.length,
    "answered 2xx": accepted.length,
    "5xx or no answer, in flight at a restart": inFlight.length,
    ...mustBeZero,
    "longest time without PostgreSQL, ms": Math.round(Math.max(0, ...outageMilliseconds)),
    "of these longer than the 5 s that requests wait": outageMilliseconds.filter((outage) => outage > 5000).length,
    "slowest answer, ms": Math.round(quantile(answerTimes, 1)),
    "median answer, ms": Math.round(quantile(answerTimes, 0.5)),
    "in flight at a restart, in all": sent.filter(isInFlight).length,
    "server process": isAlive ? `${site.pid}, the same` : "gone",
    "memory before the first restart, MB": memoryAtStart,
    "memory at the end, MB": await memoryOf(site.pid),
  });
  if (isAlive && Object.values(mustBeZero).every((count) => count === 0)) return;

  process.exitCode = 1;
  await writeFile(join(folder, "server.log"), site.output());
}

/** Whether the request was sent before the restart and not answered by then. */
function wasInFlight({ sentAt, answeredAt }: Sent, restart: number): boolean {
  return sentAt <= restart && answeredAt >= restart;
}

/** Resident memory in MB; 0 on systems without /proc. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024);
}

function progress(message: string) {
  process.stdout.write(`\r${message.padEnd(60)}\r`);
}
