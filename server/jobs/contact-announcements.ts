import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";
import { advisoryLocks } from "#server/database/advisory-locks";
import { inTransaction } from "#server/database/transaction";
import {
  type ContactDigest,
  inboxUrl,
  takeContact,
  writeContactMail,
  writeDigestMail,
} from "#server/mail/contact-mail";
import type { Mailer } from "#server/mail/mailer";
import type { Webhook } from "#server/webhook/webhook";
import { addJob, attemptsFor, digestLane } from "./queue.ts";
import type { Attempt, JobHandler } from "./worker.ts";

export interface ContactAnnouncementOptions {
  owner: Pool;
  mailer: Pick<Mailer, "send">;
  siteUrl: string;
  /** The email addresses that get a mail about each new contact. */
  notifyTo: readonly string[];
  /** How many contacts in an hour have a mail of their own. The others are counted in a digest. */
  mailsPerHourMax: number;
  /** The webhook that is called for each new contact. */
  webhook: Webhook | undefined;
}

/** What a mail tells of: a contact or a digest. */
interface Subject {
  contact_id?: string;
  /** The request that sent the contact, for the log. */
  request_id?: string;
  digest?: ContactDigest;
}

/** The payload of a job that mails several recipients, and those whose mail the mail server has accepted. */
type Announcement = Subject & { mailed?: string[] };

/** The longest time that a contact waits for its digest. So there are at most six digests in an hour. */
const digestSeconds = 10 * 60;

/** How long a job that added to the digest keeps its place in the lane. */
const restMilliseconds = 200;

const jobOptions = { attempts: attemptsFor.threeDays };

/** The handlers of the jobs that tell the owner of the site about contacts, by the names of the jobs. */
export function contactAnnouncements(options: ContactAnnouncementOptions) {
  const { owner, mailer, siteUrl, notifyTo, mailsPerHourMax, webhook } = options;

  return {
    /**
     * The job of a new contact. With a webhook it becomes two jobs, because a receiver that hangs must delay no mail.
     */
    async "announce-contact"(payload, attempt) {
      if (!webhook) return mailContact(payload, attempt);
      const { contact_id, request_id } = payload as Subject;
      const subject = { contact_id, request_id };
      await inTransaction(owner, async (db) => {
        await addJob(db, "call-webhook", subject, { ...jobOptions, lane: "webhook" });
        await addJob(db, "mail-contact", subject, { ...jobOptions, priority: 10 });
        await attempt.finish(db);
      });
    },

    "mail-contact": mailContact,

    /** Counts the contacts that wait for a digest, and takes them out of the queue in the same transaction. */
    async "collect-digest"(_payload, attempt) {
      await inTransaction(owner, async (db) => {
        await lockDigest(db);
        const { rows } = await db.query<{ interest: string; count: number }>(
          `with waiting as (delete from private.jobs where lane = $1 returning (payload ->> 'contact_id')::uuid as id),
             dropped as (update public.contacts set announced = false where id in (table waiting) and state = 'spam')
           select c.interest, count(*)::integer from waiting join public.contacts c using (id)
           where c.state <> 'spam' group by c.interest`,
          [digestLane],
        );
        const counts = Object.fromEntries(rows.map(({ interest, count }) => [interest, count]));
        if (rows.length > 0) await addJob(db, "mail-digest", { digest: { id: randomUUID(), counts } }, jobOptions);
        await attempt.finish(db);
      });
    },

    "mail-digest": mailEach,

    /** One mail to one recipient: that of a recipient whose mail failed while those of others arrived. */
    async "notify-owner"(payload) {
      const { to, ...subject } = payload as Subject & { to: string };
      await sendMail(subject, to);
    },

    async "call-webhook"(payload) {
      const contact = await contactOf(payload as Subject);
      if (contact) await webhook?.send({ id: contact.id, type: "contact.created", contact });
    },
  } satisfies Record<string, JobHandler>;

  async function mailContact(payload: unknown, attempt: Attempt) {
    const { contact_id, mailed } = payload as Announcement & { contact_id: string };
    if (!mailed && notifyTo.length > 0 && (await isBeyondMailsPerHour(contact_id))) {
      await inTransaction(owner, async (db) => {
        await addToDigest(db, contact_id);
        await attempt.finish(db);
      });
      // A rush then gathers for the next statement, instead of taking all places of the lane again and again.
      await pause(restMilliseconds);
    } else await mailEach(payload, attempt);
  }

  /**
   * Whether so many others came in the hour before the contact. This depends only on the contacts, so every attempt and
   * every server decides the same.
   */
  async function isBeyondMailsPerHour(contactId: string): Promise<boolean> {
    const { rows } = await owner.query(`select ${isBeyond("$1")} as beyond`, [contactId, mailsPerHourMax]);
    return rows[0]?.beyond;
  }

  /**
   * The first contact of a digest starts its time. After a rush, one statement moves all contacts that it left waiting:
   * one by one they would take from PostgreSQL as much as the visitors do.
   */
  async function addToDigest(db: ClientBase, contactId: string) {
    await lockDigest(db);
    const { rowCount } = await db.query("select from private.jobs where lane = $1 limit 1", [digestLane]);
    const delayed = { ...jobOptions, delaySeconds: digestSeconds };
    if (rowCount === 0) await addJob(db, "collect-digest", {}, delayed);
    await addJob(db, "await-digest", { contact_id: contactId }, { ...delayed, lane: digestLane });
    await db.query(
      `update private.jobs set task = 'await-digest', lane = $3, run_at = now() + make_interval(secs => $4)
       where id = any(array(
         select id from private.jobs
         where lane = 'mail' and task = $1 and attempts = 0 and leased_by is null and ${isBeyond("(payload ->> 'contact_id')::uuid")}
         for update skip locked
       ))`,
      [webhook ? "mail-contact" : "announce-contact", mailsPerHourMax, digestLane, digestSeconds],
    );
  }

  /**
   * Mails all recipients in turn. If some mails fail, each of these becomes a job of its own, and the others are done.
   * With one recipient the job itself is repeated, and its removal is the only record.
   */
  async function mailEach(payload: unknown, attempt: Attempt) {
    const { mailed = [], ...subject } = payload as Announcement;
    const recipients = notifyTo.filter((to) => !mailed.includes(to));
    const failed: string[] = [];
    for (const to of recipients) {
      try {
        await sendMail(subject, to);
      } catch (error) {
        if (recipients.length === 1) throw error;
        failed.push(to);
        continue;
      }
      mailed.push(to);
      if (to !== recipients.at(-1) || failed.length > 0) await attempt.saveProgress({ ...subject, mailed });
    }
    if (failed.length === 0) return;
    await inTransaction(owner, async (db) => {
      for (const to of failed) await addJob(db, "notify-owner", { ...subject, to }, jobOptions);
      await attempt.finish(db);
    });
  }

  async function sendMail(subject: Subject, to: string) {
    const { digest } = subject;
    if (digest) return mailer.send(writeDigestMail(digest, { to, siteUrl, mailsPerHourMax }), inboxUrl(siteUrl));
    const contact = await contactOf(subject);
    if (contact) await mailer.send(writeContactMail(contact, { to, siteUrl }), inboxUrl(siteUrl, contact.id));
  }

  /** Undefined if the contact has been deleted. A job that names no contact fails, so that an admin sees it. */
  async function contactOf({ contact_id }: Subject) {
    if (!contact_id) throw new Error("The job names no contact.");
    return takeContact(owner, contact_id);
  }
}

/**
 * The condition that `$2` other contacts, or more, came in the hour before the contact with this id. It looks at the time
 * of the last of these. Counted, PostgreSQL would read all contacts of the hour: 0.8 ms at 6,000, and 12 µs like this.
 */
function isBeyond(contactId: string): string {
  return `(
    select (
      select earlier.submitted_at from public.contacts earlier
      where (earlier.submitted_at, earlier.id) < (c.submitted_at, c.id) and earlier.state <> 'spam'
      order by earlier.submitted_at desc offset $2 - 1 limit 1
    ) >= c.submitted_at - interval '1 hour'
    from public.contacts c where c.id = ${contactId}
  )`;
}

/** A contact that is added while the digest is collected must wait for the next digest. */
async function lockDigest(db: ClientBase) {
  await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.contactDigest]);
}
