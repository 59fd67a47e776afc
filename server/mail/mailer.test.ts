import { afterEach, describe, expect, test, vi } from "vitest";
import { brand } from "#content/brand";
import { onFinished } from "#tests/support/on-finished";
import { startSmtp } from "#tests/support/smtp-server";
import { createMailer, type Mailer, type MailerOptions } from "./mailer.ts";
import { writeAccountMail } from "./render-account-mail.ts";

const link = "https://site.example/auth/v1/verify?token=abc&type=signup";

afterEach(() => void vi.restoreAllMocks());

function mailer(options: Partial<MailerOptions>): Mailer {
  const made = createMailer({
    smtpUrl: undefined,
    mailFrom: undefined,
    siteUrl: "http://localhost:3000",
    log: { error() {} },
    print() {},
    ...options,
  });
  onFinished(made.close);
  return made;
}

function confirmationMail(to: string): Parameters<Mailer["send"]> {
  return [writeAccountMail({ kind: "confirm-address", to, link }), link];
}

describe("a sender's name with characters that mean something in a header", () => {
  test.each([
    ["Heron, Finch & Partners", '"Heron, Finch & Partners"'],
    ["Owls: day; night", '"Owls: day; night"'],
    ['The "Owls"', '"The \\"Owls\\""'],
    ["Käuze: Söhne", "=?UTF-8?Q?K=C3=A4uze=3A_S=C3=B6hne?="],
  ])("%s", async (name, written) => {
    vi.spyOn(brand, "name", "get").mockReturnValue(name as typeof brand.name);
    const smtp = await startSmtp();
    for (const mailFrom of [undefined, { name, address: brand.email }]) {
      const { send, mailbox } = mailer({ smtpUrl: smtp.url, mailFrom });
      await send(...confirmationMail("ida@example.com"));
      expect(mailbox).toBeUndefined();
    }

    expect(smtp.received.map(({ from }) => from)).toEqual([brand.email, brand.email]);
    for (const { raw } of smtp.received) expect(raw).toContain(`From: ${written} <${brand.email}>\r\n`);
  });
});

describe("without an SMTP server", () => {
  test("a site on localhost captures each mail and prints the link at a terminal", async () => {
    const print = vi.fn();
    const { send, mailbox } = mailer({ print, isTerminal: true });
    await send(...confirmationMail("ida@example.com"));
    await send(...confirmationMail("bo@example.com"));

    expect(mailbox?.mails.map(({ to }) => to)).toEqual(["bo@example.com", "ida@example.com"]);
    expect(mailbox?.mails[1]).toEqual({
      to: "ida@example.com",
      from: { name: brand.name, address: brand.email },
      subject: expect.stringMatching(/^Confirm your email address/),
      text: expect.stringContaining(link),
      html: expect.stringContaining("&amp;type=signup"),
      sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(print).toHaveBeenCalledWith(expect.stringContaining(link));
  });

  test("an output that is no terminal gets neither link nor address, only where the mail is", async () => {
    const print = vi.fn();
    // The output of a test is none.
    await mailer({ print }).send(...confirmationMail("ida@example.com"));
    expect(print.mock.calls).toEqual([
      ["An email was not sent. It is at /dev/mail, which opens with the key in DATA_DIR/mailbox.key."],
    ]);
  });

  test.each([
    "https://site.example",
    "http://localhost.site.example",
    "http://127.0.0.1.site.example",
    "http://10.0.0.1",
  ])("a site at %s logs an error and rejects each mail", async (siteUrl) => {
    const error = vi.fn();
    const print = vi.fn();
    const { send, mailbox } = mailer({ siteUrl, log: { error }, print });
    expect(mailbox).toBeUndefined();
    expect(error).toHaveBeenCalledWith(expect.stringMatching(/^No email can be sent: SMTP_URL is not set/));
    await expect(send(...confirmationMail("ida@example.com"))).rejects.toThrow("No email can be sent");
    expect(print).not.toHaveBeenCalled();
  });
});
