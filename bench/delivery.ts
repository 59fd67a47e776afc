/**
 * `npm run bench:delivery`: how long after the answer to a contact does its notification reach the SMTP server? First
 * measures 200 contacts, one after the other. Then sends 2,000 contacts at a fixed rate of 100 a second (open loop) and
 * measures every tenth. Server, PostgreSQL and SMTP server are separate processes on 127.0.0.1. With `--raw` it
 * measures nothing, but prints a notification: that of a contact whose name attempts header injection.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startSite } from "#tests/support/site";
import { quantile } from "./load/quantile.ts";
import { jsonRequest } from "./load/requests.ts";
import { type DeliveredMail, deliveredMails, readEvents } from "./smtp/smtp-log.ts";
import { startSmtp } from "./smtp/smtp-process.ts";

const { values: options } = parseArgs({ options: { raw: { type: "boolean", default: false } } });
const samples = 200;
const warmUp = 20;
const perSecond = 100;
/** At the fixed rate, one contact in this many is measured. */
const measuredEvery = 10;
const waitSecondsMax = 60;
/**
 * The pause between two reads of the SMTP server's log, long enough to add no load. It does not make the results less
 * exact, because the log contains the time of each delivery.
 */
const logPollMilliseconds = 100;
const rawLinesMax = 60;

interface Sent {
  email: string;
  /** Counted from the planned time of sending, so that a delayed start makes it longer. */
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
  if (options.raw) await showRaw();
  else await measure();
} finally {
  await site.stop();
  await smtp.kill();
  await rm(folder, { recursive: true, force: true });
}

async function measure() {
  for (let number = 0; number < warmUp; number++) await untilDelivered((await send(`warm-${number}`)).email);

  const idle: Sent[] = [];
  for (let number = 0; number < samples; number++) {
    const sent = await send(`idle-${number}`);
    idle.push(sent);
    await untilDelivered(sent.email);
  }

  const loaded = await sendSteadily(samples * measuredEvery);
  await untilDelivered(...loaded.map(({ email }) => email));
  const mails = await mailsBySender();
  console.table({
    idle: times(idle, mails),
    [`${perSecond} contacts/s`]: times(
      loaded.filter((_, number) => number % measuredEvery === 0),
      mails,
    ),
  });
}

/** An open loop: each contact is sent at its planned time, whether or not the earlier ones are answered. */
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

async function send(name: string, due = performance.now()): Promise<Sent> {
  const email = `${name}@bench.example`;
  await post({ name: `Visitor ${name}`, company: "Bench", email, interest: "consulting" });
  const answered = performance.now();
  return { email, answerMilliseconds: answered - due, answeredAt: performance.timeOrigin + answered };
}

async function post(contact: Record<string, string>) {
  const answer = await fetch(`${site.url}/rest/v1/contacts`, jsonRequest(contact));
  const body = await answer.text();
  if (answer.status !== 201) throw new Error(`A contact was answered with ${answer.status}: ${body}`);
}

/** Resolves when the notifications of all these contacts are delivered. */
async function untilDelivered(...emails: string[]) {
  const deadline = performance.now() + waitSecondsMax * 1000;
  for (;;) {
    const mails = await mailsBySender();
    if (emails.every((email) => mails.has(email))) return;
    if (performance.now() > deadline) throw new Error(`No mail within ${waitSecondsMax} seconds.`);
    await pause(logPollMilliseconds);
  }
}

/** The notifications so far, by the address of the contact. */
async function mailsBySender(): Promise<Map<string, DeliveredMail>> {
  const mails = deliveredMails(await readEvents(log));
  return new Map(mails.map((mail) => [/^Reply-To:(?:.|\r\n[ \t])*?<([^>]+)>/im.exec(mail.raw)?.[1] ?? "", mail]));
}

function times(sent: readonly Sent[], mails: ReadonlyMap<string, DeliveredMail>) {
  const answers = sent.map(({ answerMilliseconds }) => answerMilliseconds);
  const deliveries = sent.map(({ email, answeredAt }) => (mails.get(email)?.at ?? Number.NaN) - answeredAt);
  return {
    contacts: sent.length,
    "answer, median ms": rounded(quantile(answers, 0.5)),
    "answer, p99 ms": rounded(quantile(answers, 0.99)),
    "then mail, median ms": rounded(quantile(deliveries, 0.5)),
    "then mail, p99 ms": rounded(quantile(deliveries, 0.99)),
    "then mail, slowest ms": rounded(quantile(deliveries, 1)),
  };
}

function rounded(milliseconds: number): number {
  return Number(milliseconds.toFixed(1));
}

async function showRaw() {
  const email = "eve@bench.example";
  const name =
    '"Eve\r\nBcc: all@example.com\r\n\r\n<b>\u202eolleh\u200f 🦉 "quoted" \\ =?utf-8?q?Subject=3A?=, Ünï 東京';
  console.log(`The name: ${JSON.stringify(name)}\n`);
  await post({ name, company: "Owls, \r\nTo: all@example.com", email, interest: "consulting" });
  await untilDelivered(email);
  const { recipients = [], raw = "" } = (await mailsBySender()).get(email) ?? {};
  console.log(`The envelope's recipients: ${recipients.join(", ")}\n`);
  console.log(raw.split("\r\n").slice(0, rawLinesMax).join("\n"));
}
