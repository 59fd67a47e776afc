import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "#tests/support/database";
import { linesOf } from "#tests/support/findings";
import { listenOnLoopback } from "#tests/support/listen-on-loopback";
import { startSmtp } from "#tests/support/smtp-server";
import { checkDeliveries, checkMail } from "./mail-checks.ts";

const settings = {
  mailFrom: { name: "Heron", address: "hello@heron.test" },
  notifyTo: ["owner@heron.com"],
  webhook: undefined,
  smtpAllowPlain: false,
  siteUrl: "https://heron.com",
};

test("a mail server that is ready is told, and gets no mail", async () => {
  const smtp = await startSmtp();
  expect(linesOf(await checkMail({ ...settings, smtpUrl: smtp.url }))).toEqual([
    "ok Each contact is announced to one address in NOTIFY_TO.",
    `ok The mail server ${new URL(smtp.url).host} is ready.`,
    "BROKEN MAIL_FROM is hello@heron.test, at a reserved domain: most receivers refuse it, and no answer arrives.",
  ]);
  expect(smtp.received).toEqual([]);
});

test("a mail server that refuses the password, and one that is not there, are told in its words", async () => {
  const refusing = createServer((socket) => {
    socket.write("220 heron.test\r\n");
    socket.on("data", (data) => {
      const isHello = /^EHLO/i.test(String(data));
      socket.write(isHello ? "250-heron.test\r\n250 AUTH PLAIN\r\n" : "535 No such owl\r\n");
    });
  });
  const port = await listenOnLoopback(refusing);
  const lines = linesOf(await checkMail({ ...settings, smtpUrl: `smtp://owl:feathers@127.0.0.1:${port}` }));
  expect(lines[1]).toMatch(
    /^BROKEN The mail server 127\.0\.0\.1:\d+ (refused the user name or password|offers no TLS)/,
  );
  expect(lines[1]).not.toContain("feathers");

  expect(linesOf(await checkMail({ ...settings, smtpUrl: "smtp://127.0.0.1:9" }))[1]).toBe(
    "BROKEN The mail server 127.0.0.1:9 could not be reached: connection refused.",
  );
});

test("a sender of another domain than the site's is told", async () => {
  const mailFrom = { name: "Heron", address: "hello@herons-elsewhere.net" };
  const lines = linesOf(await checkMail({ ...settings, mailFrom, smtpUrl: "smtp://127.0.0.1:9" }));
  expect(lines.at(-1)).toBe("look MAIL_FROM is at herons-elsewhere.net, and the site at heron.com.");
  const own = { name: "Heron", address: "hello@mail.heron.com" };
  expect(linesOf(await checkMail({ ...settings, mailFrom: own, smtpUrl: "smtp://127.0.0.1:9" })).join()).not.toMatch(
    /and the site at/,
  );
});

test("missing settings are told", async () => {
  const lines = linesOf(await checkMail({ ...settings, notifyTo: [], smtpUrl: undefined }));
  expect(lines).toEqual([
    "look NOTIFY_TO is empty, so no one hears of a new contact.",
    "BROKEN SMTP_URL is not set, so no email is sent: addresses stay unconfirmed, and contacts unannounced.",
  ]);
  const local = await checkMail({ ...settings, smtpUrl: undefined, siteUrl: "http://localhost:3000" });
  expect(linesOf(local)[1]).toBe("BROKEN SMTP_URL is not set, so every email stays on this machine, in /dev/mail.");
});

test("messages that are failing are counted", async () => {
  const { owner, drop } = await createDatabase();
  onTestFinished(() => drop());
  expect(linesOf(await checkDeliveries(owner))).toEqual(["ok No message is failing."]);
  // One that failed, and one whose server ended in the middle of its last attempt.
  await owner.query(`insert into private.jobs (task, payload, attempts_max, attempts, lane, last_error) values
    ('mail-contact', '{}', 9, 1, 'mail', 'No.'), ('mail-contact', '{}', 9, 9, 'mail', null),
    ('call-webhook', '{}', 9, 0, 'webhook', null)`);
  expect(linesOf(await checkDeliveries(owner))).toEqual(["look 2 messages not getting out."]);
});
