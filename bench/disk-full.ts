/**
 * `npm run disk-full`: is a contact that was answered with success still there after the disk was full? The data
 * directory is on a small file system in memory, which is filled and freed several times while contacts come in, 50 a
 * second, to the data API and to the form without JavaScript. In every second round PostgreSQL is made to fill its
 * write-ahead log too, so that it ends with a PANIC and cannot start again until there is space. Linux only: it mounts
 * the file system in a namespace of its own, as root or as any user who may create one. `--rounds` sets how often.
 */
import { spawnSync } from "node:child_process";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { startSite } from "#tests/support/site";
import { jsonRequest, publicAddress } from "./load/requests.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "6" },
    /** The folder on which the file system is mounted; set by the run that creates the namespace. */
    folder: { type: "string" },
  },
});
const rounds = Number(options.rounds);
const secondsPerPhase = 7;
const contactsPerSecond = 50;
const recoverySecondsMax = 30;
const mebibytes = 220;

type Phase = "space" | "full" | "full, PANIC";

interface Sent {
  email: string;
  phase: Phase;
  /** 0 without an answer. */
  status: number;
  hasRetryAfter: boolean;
}

if (options.folder === undefined) process.exit(runInNamespace());
const folder = options.folder;
const ballast = join(folder, "ballast");
const problems: string[] = [];
const sent: Promise<Sent>[] = [];
let phase: Phase = "space";
let isSending = true;
let log = "";

const environment = { TRUST_PROXY: "loopback", LOG_LEVEL: "warn" };
let site = await startSite({ dataDir: folder, environment });
try {
  const sending = sendContacts();
  for (let round = 0; round < rounds; round++) {
    await pause(secondsPerPhase * 1000);
    const free = await fillDisk();
    if (round % 2 === 1) await fillLog(secondsPerPhase * 1000);
    else await pause(secondsPerPhase * 1000);
    const freedAt = performance.now();
    await free();
    await untilStored();
    console.log(
      `Round ${round + 1} (${phase}): stores again ${seconds(performance.now() - freedAt)} s after there was space.`,
    );
    phase = "space";
  }
  isSending = false;
  await sending;
  const all = await Promise.all(sent);
  log = site.output();
  // The log of PostgreSQL is on the full disk too, so that it may lack the PANIC.
  if (rounds > 1 && !log.includes("making sure that it runs")) problems.push("PostgreSQL never ended.");
  if (!log.includes("disk full")) problems.push("The log does not say that the disk is full.");
  if ((await site.stop()) !== 0) problems.push("The server did not stop in order.");
  site = await startSite({ dataDir: folder, environment });
  report(all, await storedEmails());
} finally {
  await site.stop();
  if (problems.length > 0) console.error(log.slice(-4000));
}

/** Runs this file in a namespace of its own, so that the file system disappears with it. */
function runInNamespace(): number {
  const inside = `mkdir -p "$0" && mount -t tmpfs -o size=${mebibytes}m,mode=700 none "$0" && exec "$@"`;
  const mountPoint = join("/tmp", `disk-full-${process.pid}`);
  const again = [process.execPath, import.meta.filename, "--folder", mountPoint, "--rounds", String(rounds)];
  const namespace = process.getuid?.() === 0 ? ["--mount"] : ["--map-root-user", "--mount"];
  const { status } = spawnSync("unshare", [...namespace, "sh", "-c", inside, mountPoint, ...again], {
    stdio: "inherit",
  });
  spawnSync("rmdir", [mountPoint]);
  return status ?? 1;
}

/** An open loop: each contact is sent at its time, whether or not the earlier ones are answered. */
async function sendContacts() {
  const started = performance.now();
  for (let number = 0; isSending; number++) {
    await pause(Math.max(0, started + (number * 1000) / contactsPerSecond - performance.now()));
    sent.push(send(number));
  }
}

async function send(number: number): Promise<Sent> {
  const email = `visitor-${number}@example.com`;
  const contact = { name: "Ada Heron", company: "x".repeat(160), email, interest: "consulting" };
  const headers = { "x-forwarded-for": publicAddress(number) };
  const isForm = number % 2 === 1;
  const path = isForm ? "/contact" : "/rest/v1/contacts";
  const request = isForm
    ? { method: "POST", headers, body: new URLSearchParams(contact), redirect: "manual" as const }
    : jsonRequest(contact, headers);
  const before = { email, phase };
  try {
    const answer = await fetch(site.url + path, { ...request, signal: AbortSignal.timeout(30_000) });
    await answer.arrayBuffer();
    return { ...before, status: answer.status, hasRetryAfter: answer.headers.has("retry-after") };
  } catch {
    return { ...before, status: 0, hasRetryAfter: false };
  }
}

/** Keeps the disk full until the returned function is called: what PostgreSQL frees meanwhile is taken at once. */
async function fillDisk() {
  phase = "full";
  const file = await open(ballast, "w");
  const fill = async () => {
    for (const bytes of [64 * 1024, 4096]) while (await hasWritten(file, bytes));
  };
  await fill();
  let isFull = true;
  const keeping = (async () => {
    while (isFull) await fill().then(() => pause(20));
  })();
  return async () => {
    isFull = false;
    await keeping;
    await file.close();
    await rm(ballast);
  };
}

async function hasWritten(file: FileHandle, bytes: number): Promise<boolean> {
  try {
    await file.write(Buffer.alloc(bytes));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    return false;
  }
}

/**
 * Uses up the segments of the write-ahead log that PostgreSQL has in reserve, so that it needs a new one and ends, again
 * and again: after each restart it has the old ones in reserve.
 */
async function fillLog(milliseconds: number) {
  phase = "full, PANIC";
  const deadline = performance.now() + milliseconds;
  while (performance.now() < deadline) {
    await fillReserve().catch(() => {});
    await pause(50);
  }
}

/** Rejects when PostgreSQL ends or does not run. */
async function fillReserve() {
  const client = new pg.Client(await embeddedConnection(folder));
  client.on("error", () => {});
  try {
    await client.connect();
    for (;;) await client.query("select pg_logical_emit_message(false, 'full', repeat('x', 1000000))");
  } finally {
    await client.end().catch(() => {});
  }
}

async function untilStored() {
  const deadline = performance.now() + recoverySecondsMax * 1000;
  for (let number = 0; performance.now() < deadline; number++) {
    const { status } = await send(10_000_000 + sent.length * 1000 + number * 2);
    if (status === 201) return;
    await pause(50);
  }
  problems.push(`Nothing was stored ${recoverySecondsMax} s after there was space again.`);
}

async function storedEmails(): Promise<Set<string>> {
  const client = new pg.Client(await embeddedConnection(folder));
  await client.connect();
  const { rows } = await client.query("select email from contacts");
  await client.end();
  return new Set(rows.map(({ email }) => email));
}

function report(all: readonly Sent[], stored: ReadonlySet<string>) {
  const isSuccess = ({ status }: Sent) => status === 201 || status === 303;
  const isRefused = ({ status, hasRetryAfter }: Sent) => status === 503 && hasRetryAfter;
  const columns = ["phase", "sent", "acknowledged", "stored", "refused", "other", "lost"];
  const rows = [...Map.groupBy(all, (each) => each.phase), ["all", all] as const].map(([name, contacts]) => {
    const acknowledged = contacts.filter(isSuccess);
    const other = contacts.filter((each) => !isSuccess(each) && !isRefused(each));
    const lost = acknowledged.filter(({ email }) => !stored.has(email)).length;
    if (name === "all" && lost > 0) problems.push(`${lost} contacts were acknowledged and are lost.`);
    if (name === "all" && other.length > 0) {
      const statuses = [...new Set(other.map(({ status }) => status))].join(", ");
      problems.push(`${other.length} answers were neither a success nor 503 with Retry-After: ${statuses}.`);
    }
    if (name !== "space" && name !== "all" && !contacts.some(isRefused))
      problems.push(`Nothing was refused (${name}).`);
    const kept = contacts.filter(({ email }) => stored.has(email)).length;
    return [name, contacts.length, acknowledged.length, kept, contacts.filter(isRefused).length, other.length, lost];
  });
  console.log(`\n${[columns, ...rows].map((row) => row.map((cell) => String(cell).padEnd(13)).join("")).join("\n")}`);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
