import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyPluginAsync } from "fastify";
import { html } from "#server/escape-html";
import type { Message } from "./mail-template.ts";

export interface CapturedMail extends Message {
  sent_at: string;
}

/** Limits the memory of the mailbox, since every sign-up adds a mail. */
const mailsMax = 200;

/** Stores the mails of a site that has no SMTP server, newest first. They are lost when the server ends. */
export class CapturedMailbox {
  /** Opens the mailbox. It is new at each start, as the mails are. */
  readonly key = randomBytes(24).toString("base64url");
  readonly mails: CapturedMail[] = [];

  add(message: Message) {
    this.mails.unshift({ ...message, sent_at: new Date().toISOString() });
    this.mails.splice(mailsMax);
  }
}

/** The file in DATA_DIR with the key of the mailbox, for tests and other programs of the user who runs the server. */
export const mailboxKeyFile = "mailbox.key";

/** Replaces the key of an earlier start. The old file is removed first, because it may be readable by others. */
export async function writeMailboxKey(dataDir: string, { key }: CapturedMailbox) {
  const file = join(dataDir, mailboxKeyFile);
  await mkdir(dataDir, { recursive: true });
  await rm(file, { force: true });
  await writeFile(file, key, { mode: 0o600, flag: "wx" });
}

/**
 * Serves the captured mails to a developer at /dev/mail and /dev/mail.json. The links in the mails are as good as
 * passwords, so without the key these pages answer as any unknown path does. Where a request seems to come from proves
 * nothing: one that comes through a proxy may look exactly like one made on this machine.
 */
export function devMailbox(mailbox: CapturedMailbox | undefined): FastifyPluginAsync {
  return async (app) => {
    if (!mailbox) return;

    app.addHook("onRequest", async (request, reply) => {
      if (!isKey(request.query, mailbox.key)) return reply.callNotFound();
      reply.header("cache-control", "no-store");
    });
    app.get("/dev/mail.json", async () => mailbox.mails);
    app.get("/dev/mail", async (_request, reply) => {
      return reply.type("text/html; charset=utf-8").send(page(mailbox.mails));
    });
  };
}

/** Compares hashes, which have one length, so that the time of the comparison tells nothing about the key. */
function isKey(query: unknown, key: string): boolean {
  const given = (query as { key?: unknown }).key;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return typeof given === "string" && timingSafeEqual(hash(given), hash(key));
}

function page(mails: readonly CapturedMail[]): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Emails that were not sent</title></head>
<body>
<h1>Emails that were not sent</h1>
<p>There is no SMTP server (SMTP_URL), so emails are kept here until the server stops. Newest first.</p>
${mails.length === 0 ? html`<p>None yet.</p>` : mails.map(article)}
</body>
</html>
`.toString();
}

function article({ to, from, subject, text, sent_at }: CapturedMail) {
  return html`<article>
<h2>${subject}</h2>
<p>To ${to}, from ${from.name} &lt;${from.address}&gt;, <time datetime="${sent_at}">${sent_at}</time></p>
<pre>${withLinks(text)}</pre>
</article>
`;
}

function withLinks(text: string) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 ? html`<a href="${part}">${part}</a>` : part));
}
