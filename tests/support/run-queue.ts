import { connect } from "#backend/database/connections";
import { createJobHandlers } from "#server/jobs/job-handlers";
import { startQueue } from "#server/jobs/queue";
import { createMailer } from "#server/mail/mailer";
import { silentLog } from "./silent-log.ts";

// This process only runs the job queue. A test starts the process in order to kill it.
const [databaseUrl = "", smtpUrl = "", notifyTo = "", leaseSeconds = ""] = process.argv.slice(2);
const siteUrl = "https://site.example";
const { owner } = connect(databaseUrl, silentLog);
const mailer = createMailer({ smtpUrl, mailFrom: undefined, siteUrl, log: silentLog });
const composeAccountMail = async () => undefined;
const tasks = createJobHandlers({
  owner,
  mailer,
  siteUrl,
  notifyTo: notifyTo.split(","),
  mailsPerHourMax: 30,
  webhook: undefined,
  composeAccountMail,
});
startQueue({ owner, log: silentLog, tasks, leaseSeconds: Number(leaseSeconds) });
