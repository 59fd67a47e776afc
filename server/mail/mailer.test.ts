import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { writeAccountMail } from "./account-mail.ts";
import { createMailer, type Mailer, type MailerOptions } from "./mailer.ts";

const link = "https://site.example/auth/v1/verify?token=abc&type=signup";
const quiet = { error() {} };
const opened: { close(): unknown }[] = [];

afterEach(async () => {
  // The last first: a server that ends waits for the connections that a mailer keeps.
  for (const each of opened.splice(0).reverse()) await each.close();
});

function mailer(options: Partial<MailerOptions>): Mailer {
  const made = createMailer({
    smtpUrl: undefined,
    mailFrom: undefined,
    siteUrl: "http://localhost:3000",
    log: quiet,
    print() {},
    ...options,
  });
  opened.push(made);
  return made;
}

function confirming(to: string): Parameters<Mailer["send"]> {
  return [writeAccountMail({ kind: "confirm-address", to, link }), link];
}

/** A real SMTP server on loopback that keeps what it receives. */
async function startSmtp(options: SMTPServerOptions = {}) {
  const received: { from: string; to: string[]; raw: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope;
      received.push({
        from: mailFrom ? mailFrom.address : "",
        to: rcptTo.map(({ address }) => address),
        raw: await text(stream),
      });
      done();
    },
    ...options,
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  opened.push({ close: () => new Promise<void>((closed) => server.close(closed)) });
  return { received, port: (server.server.address() as AddressInfo).port };
}

describe("with an SMTP server", () => {
  test("a mail arrives as text and as HTML, from the address of the settings", async () => {
    const smtp = await startSmtp();
    const { send, mailbox } = mailer({
      smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
      mailFrom: "Owls <owls@site.example>",
    });
    await send(...confirming("ida@example.com"));

    expect(mailbox).toBeUndefined();
    expect(smtp.received).toMatchObject([{ from: "owls@site.example", to: ["ida@example.com"] }]);
    const raw = smtp.received[0]?.raw.replace(/=\r\n/g, "").replace(/=3D/g, "=");
    expect(raw).toContain("From: Owls <owls@site.example>");
    expect(raw).toContain("Auto-Submitted: auto-generated");
    expect(raw).toContain("Content-Type: text/plain; charset=utf-8");
    expect(raw).toContain("Content-Type: text/html; charset=utf-8");
    expect(raw).toContain(link);
    expect(raw).toContain(`href="${link.replace("&", "&amp;")}"`);
  });

  test("who is asked for a password gives it", async () => {
    const given: unknown[] = [];
    const smtp = await startSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        given.push([username, password]);
        done(null, { user: username });
      },
    });
    await mailer({ smtpUrl: `smtp://owl:p%40ss@127.0.0.1:${smtp.port}` }).send(...confirming("ida@example.com"));
    expect(given).toEqual([["owl", "p@ss"]]);
    expect(smtp.received).toHaveLength(1);
  });

  test("a refusal and a server that is gone reject, so that nothing counts as sent", async () => {
    const smtp = await startSmtp({ onRcptTo: (_address, _session, done) => done(new Error("No such owl")) });
    const mail = confirming("ida@example.com");
    await expect(mailer({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` }).send(...mail)).rejects.toThrow("No such owl");
    await expect(mailer({ smtpUrl: "smtp://127.0.0.1:1" }).send(...mail)).rejects.toThrow("connection refused");
  });
});

describe("without an SMTP server", () => {
  test("a developer's machine keeps the mail and shows its link", async () => {
    const print = vi.fn();
    const { send, mailbox } = mailer({ print });
    await send(...confirming("ida@example.com"));
    await send(...confirming("bo@example.com"));

    expect(mailbox?.mails.map(({ to }) => to)).toEqual(["bo@example.com", "ida@example.com"]);
    expect(mailbox?.mails[1]).toEqual({
      to: "ida@example.com",
      from: expect.stringContaining("@"),
      subject: expect.stringMatching(/^Confirm your email address/),
      text: expect.stringContaining(link),
      html: expect.stringContaining("&amp;type=signup"),
      sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(print).toHaveBeenCalledWith(expect.stringContaining(link));
  });

  test("any other site says loudly that it cannot send, and does not pretend to", async () => {
    const error = vi.fn();
    const print = vi.fn();
    const { send, mailbox } = mailer({ siteUrl: "https://site.example", log: { error }, print });
    expect(mailbox).toBeUndefined();
    expect(error).toHaveBeenCalledWith(expect.stringMatching(/^No mail can be sent: SMTP_URL is not set/));
    await expect(send(...confirming("ida@example.com"))).rejects.toThrow("No mail can be sent");
    expect(print).not.toHaveBeenCalled();
  });
});
