import { setTimeout as pause } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { openLoop } from "../load/loops.ts";
import { quantile } from "../load/quantile.ts";
import { jsonRequest, publicAddress } from "../load/requests.ts";
import { type DeliveredMail, deliveredMails, readEvents } from "../smtp/smtp-log.ts";
import { compare } from "./row.ts";
import { alternate, type Run } from "./run.ts";
import { startBenchSite } from "./site.ts";

const perSecond = 100;
const waitSecondsMax = 120;
/** The pause between two reads of the mail server's log, long enough to add no load. The log has the times. */
const logPollMilliseconds = 1000;
/** As many connections as the server's own pool has (server/mail/smtp.ts). */
const poolConnections = 6;

/** The email address of a contact, and when its mail could be on its way: after the answer to the contact. */
interface Sent {
  email: string;
  at: number;
}

/** How long after the answer to a contact is its mail delivered, when 100 contacts come each second? */
export async function mail(run: Run) {
  const { url, smtpPort, mailLog, forgetMails } = await startBenchSite(run, { CONTACT_MAILS_PER_HOUR: "1000000" });
  const pool = createTransport({ host: "127.0.0.1", port: smtpPort, pool: true, maxConnections: poolConnections });
  run.signal.addEventListener("abort", () => pool.close());
  let visitors = 0;
  let example = { email: "", raw: "" };

  async function postContact(): Promise<Sent> {
    const number = ++visitors;
    const email = `visitor-${number}@bench.example`;
    const contact = { name: "Ada Heron", company: "Heron and Daughters", email, interest: "consulting" };
    const headers = { "x-forwarded-for": publicAddress(number) };
    const answer = await fetch(`${url}/rest/v1/contacts`, jsonRequest(contact, headers));
    if (answer.status !== 201) throw new Error(`A contact was answered with ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    return { email, at: now() };
  }

  /** Hands over the same bytes that the server sent, with another address in them. */
  async function postMail(): Promise<Sent> {
    const email = `visitor-${++visitors}@bench.example`;
    const at = now();
    const envelope = { from: "site@bench.example", to: "owner@bench.example" };
    await pool.sendMail({ envelope, raw: example.raw.replaceAll(example.email, email) });
    return { email, at };
  }

  const deliver = (post: () => Promise<Sent>) => async (seconds: number) => {
    await forgetMails();
    const sent = await openLoop(seconds * perSecond, perSecond, post);
    const mails = await untilDelivered(mailLog, sent);
    const [first] = sent;
    if (first) example = { email: first.email, raw: mails.get(first.email)?.raw ?? "" };
    return sent.map(({ email, at }) => (mails.get(email)?.at ?? Number.NaN) - at);
  };
  // A worker that is too slow falls behind further and further, which a shorter time would not show.
  const long = { ...run, seconds: run.seconds * 5 };
  const figures = await alternate(long, { ours: deliver(postContact), nodemailer: deliver(postMail) });

  const row = (name: string, share: number, oursAtMost: number) =>
    compare({
      question: `mail at ${perSecond} contacts/s, ${name}`,
      unit: "ms",
      ours: figures.ours.map((times) => quantile(times, share)),
      rival: { name: "nodemailer alone", figures: figures.nodemailer.map((times) => quantile(times, share)) },
      goal: { oursAtMost },
    });
  return [row("median", 0.5, 100), row("99th percentile", 0.99, 1000)];
}

/** Resolves with the mails by the contact's address when all of them are delivered. */
async function untilDelivered(mailLog: string, sent: readonly Sent[]): Promise<Map<string, DeliveredMail>> {
  const deadline = performance.now() + waitSecondsMax * 1000;
  for (;;) {
    const mails = deliveredMails(await readEvents(mailLog));
    const byEmail = new Map(
      mails.map((each) => [/^Reply-To:(?:.|\r\n[ \t])*?<([^>]+)>/im.exec(each.raw)?.[1] ?? "", each]),
    );
    if (sent.every(({ email }) => byEmail.has(email))) return byEmail;
    if (performance.now() > deadline) throw new Error(`Not every mail came within ${waitSecondsMax} seconds.`);
    await pause(logPollMilliseconds);
  }
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
