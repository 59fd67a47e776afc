import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { buildApp } from "#server/app";
import { accountMails } from "#server/jobs/account-mails";
import { Worker } from "#server/jobs/worker";
import { createMailer } from "#server/mail/mailer";
import { writeAccountMail } from "#server/mail/render-account-mail";
import { defaultPublicKey, readSettings } from "#server/settings";
import { cheapHasher } from "#tests/support/auth-server";
import { createDatabase, jobsAtRest } from "#tests/support/database";
import { loadSigningKeys } from "#tests/support/signing-keys";
import { silentLog } from "#tests/support/silent-log";
import { startSmtp } from "#tests/support/smtp-server";

const siteUrl = "https://site.example";
const publicKey = defaultPublicKey;

const database = await createDatabase();
const { owner, caller } = database;
const smtp = await startSmtp();
const mailer = createMailer({ smtpUrl: smtp.url, mailFrom: undefined, siteUrl, log: silentLog });
const context = { owner, siteUrl, hasher: cheapHasher, accountMailsPerHour: 100 };
const tasks = accountMails(context, (mail) => mailer.send(writeAccountMail(mail), mail.link));
const lines: Record<string, unknown>[] = [];
const log = { ...silentLog, warn: (line: unknown) => void lines.push(line as Record<string, unknown>) };
const app = buildApp({
  settings: { ...readSettings({ SITE_URL: siteUrl }), limitsAreOn: false },
  backend: { owner, caller, keys: await loadSigningKeys(owner), mailbox: undefined },
  assets: new Map(),
  log: pino({ level: "silent" }),
});
const queue = new Worker({ owner, log, tasks });
afterAll(async () => {
  await app.close();
  await queue.stop();
  mailer.close();
});

async function post(path: string, body: Record<string, string>) {
  const headers = { apikey: publicKey, "content-type": "application/json" };
  return app.inject({ method: "POST", url: `/auth/v1${path}`, headers, body });
}

test("/signup and /resend respond while the mail server does not respond", async () => {
  const held = Promise.withResolvers<void>();
  smtp.behaviour.answersAfter = held.promise;
  expect((await post("/signup", { email: "ida@example.com", password: "a long walk in the woods" })).statusCode).toBe(
    200,
  );
  await expect.poll(smtp.transfers).toBe(1);

  // The mail server answers only after the last of these requests.
  for (const email of ["bo@example.com", "ida@example.com"])
    expect((await post("/resend", { email, type: "signup" })).statusCode).toBe(200);
  expect((await post("/signup", { email: "bea@example.com", password: "a long walk in the woods" })).statusCode).toBe(
    200,
  );
  expect(smtp.received).toEqual([]);

  held.resolve();
  await expect.poll(() => smtp.received.map(({ to }) => to).sort()).toEqual(["bea@example.com", "ida@example.com"]);
  await jobsAtRest(database);
  expect(smtp.received[0]?.raw).toContain("/auth#token_hash");
});

test("a token in the mail server's refusal is hidden in the log and in the job's last_error", async () => {
  smtp.behaviour.refusesMail = (raw) => {
    const [token = "no token"] = /[0-9a-f]{64}/.exec(raw.replace(/=\r\n/g, "")) ?? [];
    return `Blocked for ${token}`;
  };
  await post("/signup", { email: "cy@example.com", password: "a long walk in the woods" });
  await expect.poll(() => lines.length).toBe(1);
  await jobsAtRest(database);

  const { rows } = await owner.query("select last_error as reason from private.jobs");
  expect(rows).toEqual([{ reason: expect.stringContaining("Blocked for (hidden)") }]);
  expect(lines).toEqual([expect.objectContaining({ task: "account-mail", attempt: 1, reason: rows[0].reason })]);
});
