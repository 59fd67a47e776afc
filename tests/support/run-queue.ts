import { connect } from "#backend/database/connections";
import { contactAnnouncements } from "#server/jobs/contact-announcements";
import { Worker } from "#server/jobs/worker";
import { createMailer } from "#server/mail/mailer";
import { silentLog } from "./silent-log.ts";

// This process only runs the job queue. A test starts the process in order to kill it.
const [databaseUrl = "", smtpUrl = "", notifyTo = "", leaseSeconds = ""] = process.argv.slice(2);
const siteUrl = "https://site.example";
const { owner } = connect(databaseUrl, silentLog);
const mailer = createMailer({ smtpUrl, mailFrom: undefined, siteUrl, log: silentLog });
const tasks = contactAnnouncements({
  owner,
  mailer,
  siteUrl,
  notifyTo: notifyTo.split(","),
  mailsPerHourMax: 30,
  webhook: undefined,
});
new Worker({ owner, log: silentLog, tasks, leaseSeconds: Number(leaseSeconds) });
