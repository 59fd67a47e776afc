import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** A real SMTP server on loopback that keeps what it takes, and misbehaves as a test asks it to. */
export async function startSmtp() {
  const received: { to: string; messageId: string; raw: string }[] = [];
  const behaviour = {
    /** Whom it turns away for now. */
    refuses: (_recipient: string): boolean => false,
    /** What it says to a mail that it does not want, as it came over the wire. */
    refusesMail: (_raw: string): string | undefined => undefined,
    /** It has heard all of a mail, and says nothing until this resolves. */
    answersAfter: Promise.resolve(),
  };
  let heard = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      done(behaviour.refuses(address) ? new Error("No such owl") : null);
    },
    async onData(stream, { envelope }, done) {
      const raw = await text(stream);
      heard += 1;
      await behaviour.answersAfter;
      const refusal = behaviour.refusesMail(raw);
      if (refusal) return done(new Error(refusal));
      const [, messageId = ""] = /^Message-ID:\s*(<[^>]+>)/im.exec(raw) ?? [];
      received.push({ to: envelope.rcptTo.map(({ address }) => address).join(), messageId, raw });
      done();
    },
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");

  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    behaviour,
    /** How many mails it has heard to their end, answered or not. */
    heard: () => heard,
    stop: () => new Promise<void>((closed) => server.close(closed)),
  };
}

export type SmtpServer = Awaited<ReturnType<typeof startSmtp>>;
