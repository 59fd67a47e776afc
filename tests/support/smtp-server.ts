import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { onFinished } from "./on-finished.ts";

/**
 * An SMTP server on loopback, until the end of the test or file that starts it. It stores the mails that it accepts, and
 * misbehaves as `behaviour` says.
 */
export async function startSmtp(options: SMTPServerOptions = {}) {
  const received: { from: string; to: string; messageId: string; raw: string }[] = [];
  const behaviour = {
    /** Whether the server refuses this recipient. */
    refuses: (_recipient: string): boolean => false,
    /** The words with which the server refuses this mail; undefined if it accepts the mail. */
    refusesMail: (_raw: string): string | undefined => undefined,
    /** The server answers a complete mail only after this promise resolves. */
    answersAfter: Promise.resolve(),
  };
  let transfers = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      done(behaviour.refuses(address) ? new Error("No such owl") : null);
    },
    async onData(stream, { envelope }, done) {
      const raw = await text(stream);
      transfers += 1;
      await behaviour.answersAfter;
      const refusal = behaviour.refusesMail(raw);
      if (refusal) return done(new Error(refusal));
      const [, messageId = ""] = /^Message-ID:\s*(<[^>]+>)/im.exec(raw) ?? [];
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address).join(), messageId, raw });
      done(null, "2.0.0 queued as 4711");
    },
    ...options,
  });
  server.on("error", () => {});
  const port = await listenOnLoopback(server.server);
  onFinished(() => new Promise<void>((closed) => server.close(closed)));

  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    behaviour,
    /** How many mails the server has received completely, whether or not it has answered. */
    transfers: () => transfers,
  };
}
