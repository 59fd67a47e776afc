import { afterAll, expect, test } from "vitest";
import { inboxWords, workWords } from "#content/inbox";
import { contactMail } from "#content/notification-mails";
import { fc } from "#tests/support/seeded-fast-check";
import { startSmtp } from "#tests/support/smtp-server";
import { type Contact, writeContactMail } from "./contact-mail.ts";
import { createMailer } from "./mailer.ts";

const contact: Contact = {
  id: "6f1c9a52-0c5e-4a43-9d0a-4f2d3c1b0a99",
  name: "Ada Lovelace",
  company: "Engines & Sons",
  email: "ada@example.com",
  interest: "co-development",
  submitted_at: new Date("2026-02-03T18:05:00Z"),
};
const siteUrl = "https://site.example";
const to = "owner@site.example";

const smtp = await startSmtp();
const mailer = createMailer({
  smtpUrl: smtp.url,
  mailFrom: { name: "Site", address: "site@site.example" },
  siteUrl,
  log: console,
});
afterAll(async () => {
  mailer.close();
});

async function deliver(change: Partial<Contact>) {
  smtp.received.length = 0;
  await mailer.send(writeContactMail({ ...contact, ...change }, { to, siteUrl }), siteUrl);
  const [mail] = smtp.received;
  if (!mail || smtp.received.length !== 1) throw new Error(`${smtp.received.length} mails arrived.`);
  return { ...mail, headers: headersIn(mail.raw) };
}

/**
 * Returns each header in one line, with its name in lower case. A line that is no header becomes an entry of its own.
 */
function headersIn(raw: string): [name: string, value: string][] {
  const head = raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n[\t ]+/g, " ");
  return head.split("\r\n").map((line) => {
    const [, name = "", value = ""] = /^([\x21-\x39\x3b-\x7e]+): ?(.*)$/.exec(line) ?? ["", "(no header)", line];
    return [name.toLowerCase(), value];
  });
}

const headerNames = "auto-submitted content-type date from message-id mime-version reply-to subject to".split(" ");

/** Undoes the header encoding of RFC 2047, as a mail program does before it shows a header. */
function decoded(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/(?:=\?utf-8\?[QB]\?[^?]*\?=)+/gi, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi)].map(([, kind, word = ""]) =>
          kind?.toUpperCase() === "B" ? Buffer.from(word, "base64") : quotedBytes(word),
        ),
      ).toString(),
    );
}

function quotedBytes(word: string): Buffer {
  return Buffer.from(
    word.replaceAll("_", " ").replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}

test("the contact mail shows the contact, and a reply goes to the visitor", async () => {
  const { raw, headers, to: recipient } = await deliver({});
  expect(recipient).toBe(to);
  expect(Object.fromEntries(headers.map(([name, value]) => [name, decoded(value)]))).toMatchObject({
    from: "Site <site@site.example>",
    to,
    "reply-to": "Ada Lovelace <ada@example.com>",
    subject: `${workWords.replySubject} (Ada Lovelace, Engines & Sons)`,
    "message-id": expect.stringMatching(
      /^<contact\.6f1c9a52-0c5e-4a43-9d0a-4f2d3c1b0a99\.[0-9a-f]{16}@site\.example>$/,
    ),
    "auto-submitted": "auto-generated",
  });
  const text = raw.replace(/=\r\n/g, "").replace(/=3D/g, "=");
  expect(text).toContain("Content-Type: text/plain; charset=utf-8");
  expect(text).toContain("Content-Type: text/html; charset=utf-8");
  expect(text).toContain(`${inboxWords.columns.company}: Engines & Sons`);
  expect(text).toContain("Engines &amp; Sons");
  expect(text, "A mail requests nothing when it is opened.").not.toMatch(/\bsrc=|url\(/);
  expect(text).toContain(`${inboxWords.columns.sent}: 3 February 2026 at 18:05 UTC`);
  expect(text).toContain(`https://site.example/admin/contacts?contact=${contact.id}`);
  expect(text).toContain(contactMail.canReply("Ada Lovelace"));
  const nameless = writeContactMail({ ...contact, company: "" }, { to, siteUrl });
  expect(nameless.subject).toBe(`${workWords.replySubject} (Ada Lovelace)`);
});

test("the Message-ID differs by contact and recipient and is the same at every attempt", () => {
  const id = (owner: string, change: Partial<Contact> = {}) =>
    writeContactMail({ ...contact, ...change }, { to: owner, siteUrl }).messageId;
  expect(id(to)).toBe(id(to));
  expect(new Set([id(to), id("second@site.example"), id(to, { id: crypto.randomUUID() })]).size).toBe(3);
});

const hostileParts = [
  ...'\r\n\u2028\u0085\0"\\<>,;:()@\u202e\u2066 ',
  ..."\r\n |Bcc: eve@evil.example|\r\nBcc: eve@evil.example|\r\n\r\nbody|=?utf-8?B?QmNj?=|=?utf-8?Q?=0D=0ABcc?=".split(
    "|",
  ),
  ...["Žofie", "李", "🦊", "مرحبا", "a\u0301", "\ud800", "x".repeat(90)],
];
const hostileText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(fc.constantFrom(...hostileParts), { maxLength: 8 }).map((parts) => parts.join("")),
);

test("a hostile name or company adds no header and no recipient to the contact mail", async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, hostileText, async (name, company) => {
      const { headers, to: recipient } = await deliver({ name, company });
      expect(recipient).toBe(to);
      expect(headers.map(([header]) => header).sort()).toEqual(headerNames);

      const { subject = "", "reply-to": replyTo = "" } = Object.fromEntries(headers);
      expect(subject + replyTo).toMatch(/^[\x20-\x7e]*$/);
      expect(replyTo).toMatch(/<ada@example\.com>$|^ada@example\.com$/);
      // Outside of quotes and encoded words, there must be no second address.
      const outside = replyTo.replace(/"(?:\\.|[^"\\])*"/g, "").replace(/=\?utf-8\?[QB]\?[^?]*\?=/gi, "");
      expect(outside).toMatch(/^[\w\s]*<ada@example\.com>$|^ada@example\.com$/);
      for (const shown of [decoded(subject), decoded(replyTo)])
        expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    }),
    { numRuns: 100 },
  );
});

test.each([
  ["ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["o'brien+site@example.com", "o'brien+site@example.com"],
])("for a contact with the email address %s, Reply-To contains %s", async (email, address) => {
  const { headers } = await deliver({ email });
  expect(Object.fromEntries(headers)["reply-to"]).toBe(`Ada Lovelace <${address}>`);
});

test.each([
  "a,eve@evil.example",
  "group:eve@evil.example",
  "(x)@example.com",
  "ada@exa mple",
  "=?utf-8?q?eve=40evil.example=3e?=@example.com",
  "a@b\r\nBcc: eve@evil.example",
])("the unsafe email address %j is not used as Reply-To", async (email) => {
  const { headers, to: recipient } = await deliver({ email });
  expect(recipient).toBe(to);
  expect(headers.map(([header]) => header).sort()).toEqual(headerNames.filter((each) => each !== "reply-to"));
  expect(writeContactMail({ ...contact, email }, { to, siteUrl }).text).toContain(contactMail.cannotReply);
});
