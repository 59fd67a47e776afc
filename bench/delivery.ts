/**
 * `npm run bench:delivery`: how long after the answer to a contact does the mail about it reach the SMTP server? 200
 * contacts one after the other, then every tenth of 2,000 that come at 100 in a second, whether or not the server keeps
 * up. Real server, PostgreSQL and SMTP server, each a process of its own on 127.0.0.1. With `--raw` it shows instead
 * the mail about a contact whose name tries to write headers.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { defaultPublicKey } from "#server/settings";
import { startSite } from "#tests/support/site";
import { startSmtp } from "./chaos/smtp.ts";
import { type Arrival, arrivalsIn, readEvents } from "./chaos/smtp-log.ts";

const { values: chosen } = parseArgs({ options: { raw: { type: "boolean", default: false } } });
const samples = 200;
const warmUp = 20;
const perSecond = 100;
/** One of so many is measured under load. */
const everyTenth = 10;
const waitSecondsMax = 60;
/** Seldom enough not to be a load of its own; the time of an arrival is the SMTP server's. */
const lookEveryMilliseconds = 100;
const rawLinesMax = 60;

interface Sent {
  email: string;
  /** From when it should have left to the answer, so that a late start counts. */
  answerMilliseconds: number;
  answeredAt: number;
}

const folder = await mkdtemp(join(tmpdir(), "delivery-"));
const log = join(folder, "smtp.log");
await writeFile(log, "");
const smtp = await startSmtp({ log });
const site = await startSite({
  dataDir: join(folder, "data"),
  environment: {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    NOTIFY_TO: "owner@bench.example",
    LOG_LEVEL: "warn",
  },
});
try {
  if (chosen.raw) await showRaw();
  else await measure();
} finally {
  await site.stop();
  await smtp.kill();
  await rm(folder, { recursive: true, force: true });
}

async function measure() {
  for (let number = 0; number < warmUp; number++) await arrivalOf((await send(`warm-${number}`)).email);

  const idle: Sent[] = [];
  for (let number = 0; number < samples; number++) {
    const sent = await send(`idle-${number}`);
    idle.push(sent);
    await arrivalOf(sent.email);
  }

  const loaded = await sendSteadily(samples * everyTenth);
  await arrivalOf(...loaded.map(({ email }) => email));
  const mails = await arrivals();
  console.table({
    idle: times(idle, mails),
    [`${perSecond} contacts/s`]: times(
      loaded.filter((_, number) => number % everyTenth === 0),
      mails,
    ),
  });
}

/** An open loop: the next one leaves at its time, whatever became of those before. */
function sendSteadily(contacts: number): Promise<Sent[]> {
  const begin = performance.now();
  return Promise.all(
    Array.from({ length: contacts }, async (_, number) => {
      const due = begin + (number * 1000) / perSecond;
      await pause(Math.max(0, due - performance.now()));
      return send(`load-${number}`, due);
    }),
  );
}

async function send(who: string, due = performance.now()): Promise<Sent> {
  const email = `${who}@bench.example`;
  await post({ name: `Visitor ${who}`, company: "Bench", email, interest: "consulting" });
  const answered = performance.now();
  return { email, answerMilliseconds: answered - due, answeredAt: performance.timeOrigin + answered };
}

async function post(contact: Record<string, string>) {
  const answer = await fetch(`${site.url}/rest/v1/contacts`, {
    method: "POST",
    headers: { apikey: defaultPublicKey, "content-type": "application/json" },
    body: JSON.stringify(contact),
  });
  const body = await answer.text();
  if (answer.status !== 201) throw new Error(`A contact was answered with ${answer.status}: ${body}`);
}

/** Resolves when the mails about all of these have arrived. */
async function arrivalOf(...emails: string[]) {
  const deadline = performance.now() + waitSecondsMax * 1000;
  for (;;) {
    const mails = await arrivals();
    if (emails.every((email) => mails.has(email))) return;
    if (performance.now() > deadline) throw new Error(`No mail within ${waitSecondsMax} seconds.`);
    await pause(lookEveryMilliseconds);
  }
}

/** The mails so far by whom they tell of. */
async function arrivals(): Promise<Map<string, Arrival>> {
  const mails = arrivalsIn(await readEvents(log));
  return new Map(mails.map((mail) => [/^Reply-To:(?:.|\r\n[ \t])*?<([^>]+)>/im.exec(mail.raw)?.[1] ?? "", mail]));
}

function times(sent: readonly Sent[], mails: ReadonlyMap<string, Arrival>) {
  const answers = sent.map(({ answerMilliseconds }) => answerMilliseconds);
  const deliveries = sent.map(({ email, answeredAt }) => (mails.get(email)?.at ?? Number.NaN) - answeredAt);
  return {
    contacts: sent.length,
    "answer, median ms": share(answers, 0.5),
    "answer, p99 ms": share(answers, 0.99),
    "then mail, median ms": share(deliveries, 0.5),
    "then mail, p99 ms": share(deliveries, 0.99),
    "then mail, slowest ms": share(deliveries, 1),
  };
}

function share(milliseconds: readonly number[], part: number): number {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return Number((sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN).toFixed(1));
}

async function showRaw() {
  const email = "eve@bench.example";
  const name =
    '"Eve\r\nBcc: all@example.com\r\n\r\n<b>\u202eolleh\u200f 🦉 "quoted" \\ =?utf-8?q?Subject=3A?=, Ünï 東京';
  console.log(`The name: ${JSON.stringify(name)}\n`);
  await post({ name, company: "Owls, \r\nTo: all@example.com", email, interest: "consulting" });
  await arrivalOf(email);
  const { recipients = [], raw = "" } = (await arrivals()).get(email) ?? {};
  console.log(`The envelope's recipients: ${recipients.join(", ")}\n`);
  console.log(raw.split("\r\n").slice(0, rawLinesMax).join("\n"));
}
