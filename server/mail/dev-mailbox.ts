import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { isLoopbackAddress, isLoopbackHost } from "#server/http/ip-address";
import type { CapturedMail, CapturedMailbox } from "./captured-mailbox.ts";
import { html } from "./html.ts";

/** What a proxy adds to a request that it passes on. */
const forwarding = /^(forwarded|via|x-forwarded.*|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.*)$/;

/**
 * /dev/mail and /dev/mail.json: the captured mails, for whoever sits at this machine. The links in them are as good as
 * passwords, so to everybody else these pages do not exist.
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
 * A proxy on this machine also connects from loopback, but says for whom. And a page elsewhere can let its own name
 * point here (DNS rebinding): then the browser names that host.
 */
function isFromThisMachine(request: FastifyRequest): boolean {
  const { remoteAddress } = request.socket;
  if (!remoteAddress || !isLoopbackAddress(remoteAddress)) return false;
  if (Object.keys(request.headers).some((name) => forwarding.test(name))) return false;

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
