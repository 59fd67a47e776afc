/**
 * `npm run flood`: do honest contacts fail while one network floods the data API? The flood sends 100 requests of 90 kB,
 * each with 850 contacts, on one socket without waiting for answers (pipelining), and again as soon as they are
 * answered. Meanwhile 200 visitors from other networks send one contact each, through the data API and through the form
 * without JavaScript by turns. Uses 127.0.0.1 only. `--seconds` sets how long the visitors take.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { defaultPublicKey } from "#server/settings";
import { startSite } from "#tests/support/site";
import { quantile } from "./load/quantile.ts";
import { jsonRequest, publicAddress } from "./load/requests.ts";

const { values: options } = parseArgs({ options: { seconds: { type: "string", default: "20" } } });
const seconds = Number(options.seconds);

const visitors = 200;
const pipelined = 100;
/** Together about 90 kB. */
const contactsPerRequest = 850;
/** The time limit of the site's own client (docs/specification.md#time-limit-of-a-call). */
const answerMillisecondsMax = 15_000;

const dataDir = await mkdtemp(join(tmpdir(), "flood-"));
const site = await startSite({
  dataDir,
  environment: { HOST: "127.0.0.1", TRUST_PROXY: "loopback", AUTH_LIMITS: "on", LOG_LEVEL: "fatal" },
});
const origin = `http://127.0.0.1:${site.port}`;
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => end().finally(() => process.exit(1)));

const answered: Record<string, number> = {};
const honest = { failed: 0, milliseconds: [] as number[], statuses: {} as Record<string, number> };
let isOver = false;
let floodNumber = 0;
try {
  const flood = repeatFlood();
  await sendHonestContacts();
  isOver = true;
  await flood;
  await report();
} finally {
  await end();
}

async function repeatFlood() {
  while (!isOver) await Promise.race([floodOnce(), untilOver()]);
}

async function untilOver() {
  while (!isOver) await pause(100);
}

/** Resolves when all requests of one socket are answered, or when the server has closed it. */
async function floodOnce() {
  const socket = connect(site.port, "127.0.0.1");
  let received = 0;
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    for (const [, status = ""] of String(chunk).matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      answered[status] = (answered[status] ?? 0) + 1;
      received += 1;
    }
    if (received >= pipelined) socket.destroy();
  });
  for (let number = 0; number < pipelined && socket.writable; number++) {
    const body = floodBody();
    socket.write(
      `POST /rest/v1/contacts HTTP/1.1\r\nHost: localhost\r\napikey: ${defaultPublicKey}\r\n` +
        `X-Forwarded-For: 203.0.113.66\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }
  // Not `once` of node:events, which rejects at an error: the server may reset a flood.
  if (!socket.closed) await new Promise((done) => socket.once("close", done));
}

function floodBody(): string {
  const contact = () => {
    const email = `${++floodNumber}@flood.example`;
    return { name: "Flood", company: "F".repeat(36 - email.length), email, interest: "consulting" };
  };
  return JSON.stringify(Array.from({ length: contactsPerRequest }, contact));
}

async function sendHonestContacts() {
  const pending: Promise<void>[] = [];
  for (let number = 0; number < visitors; number++) {
    pending.push(sendHonest(number));
    await pause((1000 * seconds) / visitors);
  }
  await Promise.all(pending);
}

async function sendHonest(number: number) {
  const contact = { name: "Ada", company: "Engines", email: `${number}@honest.example`, interest: "consulting" };
  const headers = { "x-forwarded-for": publicAddress(number) };
  const [path, init, expected]: [string, RequestInit, number] =
    number % 2 === 0
      ? ["/rest/v1/contacts", jsonRequest(contact, headers), 201]
      : ["/contact", { method: "POST", headers, body: new URLSearchParams(contact) }, 303];

  const startedAt = performance.now();
  const status = await fetch(origin + path, {
    ...init,
    redirect: "manual",
    signal: AbortSignal.timeout(answerMillisecondsMax),
  }).then(
    (answer) => answer.arrayBuffer().then(() => answer.status),
    () => 0,
  );
  honest.milliseconds.push(performance.now() - startedAt);
  honest.statuses[status] = (honest.statuses[status] ?? 0) + 1;
  if (status !== expected) honest.failed += 1;
}

async function report() {
  const client = new pg.Client(await embeddedConnection(dataDir));
  await client.connect();
  const { rows } = await client.query<{ flood: number; announced: number; honest: number }>(
    `select count(*) filter (where email like '%@flood.example')::int as flood,
            count(*) filter (where email like '%@flood.example' and spam_reason is null)::int as announced,
            count(*) filter (where email like '%@honest.example')::int as honest from contacts`,
  );
  await client.end();

  const failures = [answered, honest.statuses].flatMap((statuses) =>
    Object.entries(statuses).map(([status, times]) => (Number(status) >= 500 ? times : 0)),
  );
  console.table({
    [`honest contacts refused, of ${visitors}`]: honest.failed,
    "honest contacts stored": rows[0]?.honest,
    "honest answer, median, ms": Math.round(quantile(honest.milliseconds, 0.5)),
    "honest answer, 99th percentile, ms": Math.round(quantile(honest.milliseconds, 0.99)),
    "rows of the flood stored": rows[0]?.flood,
    "of these announced": rows[0]?.announced,
    "answers with 5xx": failures.reduce((sum, times) => sum + times, 0),
  });
  console.log("Answers to the flood, by status:", answered, "Answers to honest visitors:", honest.statuses);
  if (honest.failed > 0 || rows[0]?.honest !== visitors) process.exitCode = 1;
}

async function end() {
  isOver = true;
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}
