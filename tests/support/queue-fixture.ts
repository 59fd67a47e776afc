import type { Pool } from "pg";
import { expect } from "vitest";
import { connect } from "#backend/database/connections";
import { type ContactAnnouncementOptions, contactAnnouncements } from "#server/jobs/contact-announcements";
import { Worker, type WorkerOptions } from "#server/jobs/worker";
import { createMailer } from "#server/mail/mailer";
import { createDatabase } from "./database.ts";
import { onFinished } from "./on-finished.ts";
import { silentLog } from "./silent-log.ts";
import { startSmtp } from "./smtp-server.ts";

const siteUrl = "https://site.example";
export const first = "first@site.example";
export const second = "second@site.example";

export type QueueFixture = Awaited<ReturnType<typeof createQueueFixture>>;

/** A database, an SMTP server, and any number of queues that mail its contacts. */
export async function createQueueFixture() {
  const database = await createDatabase();
  const smtp = await startSmtp();
  const queues: { wake: () => void }[] = [];
  let contacts = 0;

  const fixture = {
    database,
    smtp,

    /** Starts a queue, which ends with the test. Without `owner` it uses the pool of the database. */
    start(parts: Partial<ContactAnnouncementOptions> = {}, options: Partial<WorkerOptions> = {}) {
      const { owner = database.owner } = parts;
      const { mailer, tasks } = fixture.createHandlers(parts);
      const queue = new Worker({ owner, log: silentLog, tasks, ...options });
      queues.push(queue);
      onFinished(async () => {
        await queue.stop();
        mailer.close();
      });
      return queue;
    },

    createHandlers(parts: Partial<ContactAnnouncementOptions>) {
      const mailer = createMailer({ smtpUrl: smtp.url, mailFrom: undefined, siteUrl, log: console });
      const tasks = contactAnnouncements({
        owner: database.owner,
        mailer,
        siteUrl,
        notifyTo: [first],
        mailsPerHourMax: 1000,
        webhook: undefined,
        ...parts,
      });
      return { mailer, tasks };
    },

    /** The pool of a second server on the same database. */
    connectOther(): Pool {
      const other = connect(database.connection, silentLog);
      onFinished(() => other.close());
      return other.owner;
    },

    /** Lets the queues look for due jobs at once, as the server does after a request. Else they do so each second. */
    wake() {
      for (const queue of queues) queue.wake();
    },

    async addContact({ owner = database.owner, spam }: { owner?: Pool; spam?: string } = {}): Promise<string> {
      const { rows } = await owner.query(
        "insert into contacts (name, email, interest, spam_reason) values ('Ida', $1, 'consulting', $2) returning id",
        [`ida-${contacts++}@example.com`, spam ?? null],
      );
      fixture.wake();
      return rows[0].id;
    },

    recipients: () => smtp.received.map(({ to }) => to).sort(),

    /** Resolves when so many mails have arrived. */
    arrived: (count: number) => expect.poll(() => smtp.received.length, { timeout: 30_000 }).toBe(count),

    /** The jobs that are not done and have attempts left. */
    async jobs(owner: Pool = database.owner) {
      const { rows } = await owner.query(
        "select task, attempts, last_error as reason from private.jobs where attempts < attempts_max order by id",
      );
      return rows;
    },
  };
  return fixture;
}
