import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { isLoopbackAddress, isLoopbackHost } from "#server/http/ip-address";
import { html } from "./escape-html.ts";
import type { Message } from "./mail-template.ts";

export interface CapturedMail extends Message {
  sent_at: string;
}

/** Limits the memory of the mailbox, since every sign-up adds a mail. */
const mailsMax = 200;

/** Stores the mails of a site that has no SMTP server, newest first. They are lost when the server ends. */
export class CapturedMailbox {
  #mails: readonly CapturedMail[] = [];

  add(message: Message) {
    this.#mails = [{ ...message, sent_at: new Date().toISOString() }, ...this.#mails].slice(0, mailsMax);
  }

  get mails(): readonly CapturedMail[] {
    return this.#mails;
  }
}

/** Headers that a proxy adds. */
const proxyHeader = /^(forwarded|via|x-forwarded.*|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.*)$/;

/**
 * Serves the captured mails to a developer at /dev/mail and /dev/mail.json. The links in the mails are as good as
 * passwords, so these pages answer 404 to any request from another machine.
 */
export function devMailbox({
  mailbox,
  siteUrl,
}: {
  mailbox: CapturedMailbox | undefined;
  siteUrl: string;
}): FastifyPluginAsync {
  return async (app) => {
    if (!mailbox || !isLoopbackHost(new URL(siteUrl).hostname)) return;

    app.get("/dev/mail.json", async (request, reply) => {
      if (!isFromThisMachine(request)) return reply.callNotFound();
      return reply.header("cache-control", "no-store").send(mailbox.mails);
    });
    app.get("/dev/mail", async (request, reply) => {
      if (!isFromThisMachine(request)) return reply.callNotFound();
      return reply.header("cache-control", "no-store").type("text/html; charset=utf-8").send(page(mailbox.mails));
    });
  };
}

/**
 * Whether the request was made on this machine. A proxy on this machine connects from loopback too, but it adds its own
 * headers. In a DNS rebinding attack, a foreign host name points to this machine; the header `Host` then shows the
 * foreign name.
 */
function isFromThisMachine(request: FastifyRequest): boolean {
  const { remoteAddress } = request.socket;
  if (!remoteAddress || !isLoopbackAddress(remoteAddress)) return false;
  if (Object.keys(request.headers).some((name) => proxyHeader.test(name))) return false;

  const origin = `http://${request.headers.host}`;
  return URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname);
}

function page(mails: readonly CapturedMail[]): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Mails that were not sent</title></head>
<body>
<h1>Mails that were not sent</h1>
<p>There is no SMTP server (SMTP_URL), so mails end here until the server stops. Newest first.</p>
${mails.length === 0 ? html`<p>None yet.</p>` : mails.map(article)}
</body>
</html>
`.toString();
}

function article({ to, from, subject, text, sent_at }: CapturedMail) {
  return html`<article>
<h2>${subject}</h2>
<p>To ${to}, from ${from}, <time datetime="${sent_at}">${sent_at}</time></p>
<pre>${withLinks(text)}</pre>
</article>
`;
}

function withLinks(text: string) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 ? html`<a href="${part}">${part}</a>` : part));
}
