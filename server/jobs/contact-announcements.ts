import { randomUUID } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import { advisoryLocks } from "#backend/database/advisory-locks";
import { inTransaction } from "#backend/database/transaction";
import {
  type Contact,
  type ContactDigest,
  inboxUrl,
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

/** What the job of a contact or a digest holds. */
interface Announcement {
  contact_id?: string;
  /** The request that sent the contact, for the log. */
  request_id?: string;
  digest?: ContactDigest;
  /** The recipient of a mail. */
  to?: string;
}

/** The longest time that a contact waits for its digest. So there are at most six digests in an hour. */
const digestSeconds = 10 * 60;

const attempts = attemptsFor.threeDays;

/** The handlers of the jobs that tell the owner of the site about contacts, by the names of the jobs. */
export function contactAnnouncements(options: ContactAnnouncementOptions): Record<string, JobHandler> {
  const { owner, mailer, siteUrl, notifyTo, mailsPerHourMax, webhook } = options;

  return {
    "announce-contact": announceContacts,

    /** A contact that was to be counted in a digest, and was held: its webhook was called. */
    "await-digest": announceContacts,

    async "mail-contact"(payload, attempt) {
      await sendAbout(payload as Announcement, attempt, async (contact) => {
        const to = recipientOf(payload as Announcement);
        if (to) await mailer.send(writeContactMail(contact, { to, siteUrl }), inboxUrl(siteUrl, contact.id));
      });
    },

    /** Counts the contacts that wait for a digest, and takes them out of the queue in the same transaction. */
    async "collect-digest"(_payload, attempt) {
      await inTransaction(owner, async (db) => {
        await lockDigest(db);
        const { rows } = await db.query<{ interest: string; count: number }>(collectSql, [attempts]);
        const counts = Object.fromEntries(rows.map(({ interest, count }) => [interest, count]));
        const digest = { id: randomUUID(), counts };
        if (rows.length > 0) for (const to of notifyTo) await addJob(db, "mail-digest", { digest, to }, { attempts });
        await attempt.finish(db);
      });
    },

    async "mail-digest"(payload) {
      const { digest } = payload as Announcement;
      const to = recipientOf(payload as Announcement);
      if (!digest) throw new Error("The job names no digest.");
      if (to) await mailer.send(writeDigestMail(digest, { to, siteUrl, mailsPerHourMax }), inboxUrl(siteUrl));
    },

    async "call-webhook"(payload, attempt) {
      await sendAbout(payload as Announcement, attempt, async (contact) => {
        await webhook?.send({ id: contact.id, type: "contact.created", contact });
      });
    },
  };

  /**
   * Gives the contacts that wait, not only that of the job, to the webhook and to the mails or the digest: in a rush, a
   * transaction for each would take more of PostgreSQL than the visitors do. Of spam and deleted contacts nothing was sent
   * yet: they are marked as not announced, so that the change that takes one back announces it.
   */
  async function announceContacts() {
    await inTransaction(owner, async (db) => {
      await lockDigest(db);
      const { rows } = await db.query<{ id: string }>(withdrawnSql);
      if (rows.length > 0) await db.query(withdrawSql, [rows.map(({ id }) => id)]);
      await db.query(announceSql, [attempts, webhook !== undefined, notifyTo, mailsPerHourMax]);
    });
  }

  /**
   * Sends what a job says about its contact. While the contact is spam or deleted, the job waits: what others have got of it
   * must not be sent again when an administrator takes it back, and what this one misses must. A job that names no contact
   * fails, so that an admin sees it.
   */
  async function sendAbout(
    { contact_id: id }: Announcement,
    attempt: Attempt,
    send: (contact: Contact) => Promise<void>,
  ) {
    if (!id) throw new Error("The job names no contact.");
    const { rows } = await owner.query<Contact & { waits: boolean }>(
      `select id, name, company, email, interest, submitted_at, state in ${unannounced} as waits
       from public.contacts where id = $1`,
      [id],
    );
    if (!rows[0]) return;
    const { waits, ...contact } = rows[0];
    await (waits ? attempt.repeat(digestSeconds, { isSkipped: true }) : send(contact));
  }

  /** A mail that waits for an address that has left NOTIFY_TO, such as a mistyped one, goes to the first address. */
  function recipientOf({ to = "" }: Announcement): string | undefined {
    return notifyTo.includes(to) ? to : notifyTo[0];
  }
}

/** The states of contacts that are not announced, and not counted among those that are. */
const unannounced = "('spam', 'deleted')";

/** The jobs that the next announcement takes. Those of held contacts are due later. */
const waitingJobs = `
  select id from private.jobs
  where lane = 'announce' and (attempts < attempts_max and run_at <= now() or leased_by is not null)
  order by leased_by, run_at limit 1000`;

/** The contact of a job. A job without one has none. */
const ofJob = `
  c.id = case when payload ->> 'contact_id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then (payload ->> 'contact_id')::uuid end`;

const withdrawnSql = `
  select c.id from private.jobs j join public.contacts c on ${ofJob}
  where j.id = any(array(${waitingJobs})) and j.task = 'announce-contact' and c.state in ${unannounced}`;

/** A statement of its own, before the jobs are locked: it locks changes of contacts, and an erasure locks both in this order. */
const withdrawSql = `update public.contacts set announced = false where id = any($1) and state in ${unannounced}`;

/**
 * Announces up to 1000 waiting contacts, for example of an import, and so that of the job that runs this. Whether a contact
 * gets a mail or a digest depends only on the contacts of the hour before it, so every server decides the same: it gets a
 * digest if the nth contact before it is of that hour. One pass over the contacts from the nth before the first to the last
 * finds this for all that wait: looking for each alone kept a processor busy in a rush, and took a third of the contacts a
 * second. A pass for each hour of the clock, because a job that an admin repeats may wait for a contact of last year. The
 * first contact of a digest starts its ten minutes.
 */
const announceSql = `
  with waiting as (
    delete from private.jobs where id = any(array(${waitingJobs})) returning task, payload, least(run_at, now()) as run_at
  ), known as (
    select task, payload, run_at, c.id, c.submitted_at, c.state in ${unannounced} and task = 'await-digest' as is_held
    from waiting left join public.contacts c on ${ofJob}
    where task <> 'announce-contact' or c.announced is not false
  ), held as (
    insert into private.jobs (task, payload, attempts_max, lane, run_at)
    select task, payload, $1, 'announce', now() + interval '${digestSeconds} seconds' from known where is_held
  ), called as (
    insert into private.jobs (task, payload, attempts_max, lane)
    select 'call-webhook', payload, $1, 'webhook' from known where task = 'announce-contact' and $2
  ), contact as (
    select payload, run_at, id, submitted_at from known where is_held is not true and cardinality($3::text[]) > 0
  ), beyond as materialized (
    select passed.id
    from (select min(submitted_at), max(submitted_at) from contact group by date_trunc('hour', submitted_at)) hour,
      lateral (
        select id, submitted_at, lag(submitted_at, $4) over (order by submitted_at, id desc) as nth_before
        from public.contacts
        where state not in ${unannounced} and submitted_at <= hour.max and submitted_at >= coalesce((
          select submitted_at from public.contacts
          where state not in ${unannounced} and submitted_at < hour.min and submitted_at >= hour.min - interval '1 hour'
          order by submitted_at desc offset $4 - 1 limit 1
        ), hour.min - interval '1 hour')
      ) passed
    where nth_before >= passed.submitted_at - interval '1 hour'
  ), counted as (
    select payload, run_at, exists (select from beyond where beyond.id = contact.id) as is_beyond from contact
  ), digest as (
    insert into private.jobs (task, payload, attempts_max, run_at)
    select 'collect-digest', '{}', $1, now() + interval '${digestSeconds} seconds'
    where exists (select from counted where is_beyond) and not exists (select from private.jobs where lane = '${digestLane}')
  ), awaiting as (
    insert into private.jobs (task, payload, attempts_max, lane, run_at)
    select 'await-digest', payload, $1, '${digestLane}', 'infinity' from counted where is_beyond
  )
  insert into private.jobs (task, payload, attempts_max, priority, run_at)
  select 'mail-contact', payload || jsonb_build_object('to', recipient), $1, 10, run_at
  from counted, unnest($3) recipient where not is_beyond`;

/** Spam and deleted contacts are held: if an administrator takes one back, the next digest counts it. */
const collectSql = `
  with waiting as (
    delete from private.jobs where lane = '${digestLane}' returning payload, (payload ->> 'contact_id')::uuid as id
  ), contact as (
    select payload, c.interest, c.state in ${unannounced} as is_held from waiting join public.contacts c using (id)
  ), held as (
    insert into private.jobs (task, payload, attempts_max, lane, run_at)
    select 'await-digest', payload, $1, 'announce', now() + interval '${digestSeconds} seconds' from contact where is_held
  )
  select interest, count(*)::integer from contact where not is_held group by interest`;

/** A contact that is added while the digest is collected must wait for the next digest. */
async function lockDigest(db: ClientBase) {
  await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.contactDigest]);
}
