import { createHash } from "node:crypto";
import { domainToASCII } from "node:url";
import { brand } from "#content/brand";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import type { Contact } from "./contact.ts";
import { type MailTemplate, type Message, renderHtml, renderText } from "./mail-template.ts";

/**
 * What browsers accept in an e-mail field (WHATWG HTML). A contact's address need not have this shape, and one with a
 * comma or a colon in it would be a list of addresses in a header.
 */
const plainAddress = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;

/** Where the mail leads. */
export function inboxOf(siteUrl: string): string {
  return `${siteUrl}/admin/contacts`;
}

/** Tells an owner of a contact. An answer to it reaches the visitor. */
export function writeContactMail(
  contact: Contact,
  { to, siteUrl }: { to: string; siteUrl: string },
): Omit<Message, "from"> {
  const name = inOneLine(contact.name);
  const address = plainAscii(contact.email);
  const letter = letterAbout(contact, { name, canReply: address !== undefined });
  const link = inboxOf(siteUrl);
  return {
    to,
    subject: letter.subject,
    text: renderText(letter, { link }),
    html: renderHtml(letter, { link }),
    ...(address && { replyTo: { name, address } }),
    messageId: messageIdOf(contact, to, siteUrl),
  };
}

function letterAbout(contact: Contact, { name, canReply }: { name: string; canReply: boolean }): MailTemplate {
  const { columns, noCompany } = inboxWords;
  const interest = contactWords.interests.find(({ value }) => value === contact.interest)?.label ?? contact.interest;
  return {
    subject: `${name}: ${interest}`,
    paragraphs: [`${name} wrote through the contact form of ${brand.name}.`],
    facts: [
      [columns.name, name],
      [columns.company, inOneLine(contact.company) || noCompany],
      [columns.email, inOneLine(contact.email)],
      [columns.interest, interest],
      [columns.sent, `${sentAt.format(contact.submitted_at)} UTC`],
    ],
    button: "Open the list of contacts",
    remark: canReply
      ? `Reply to this mail to answer ${name}.`
      : "The address is an unusual one, so that a reply to this mail would not reach it: please copy it by hand.",
  };
}

const sentAt = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/**
 * What a visitor wrote, fit for a header: it stays in its line, reads in the order in which it is written (no
 * bidirectional controls), and is not decoded into something else by whoever shows it (RFC 2047).
 */
function inOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replaceAll("=?", "= ?")
    .trim();
}

/** The address as a header may hold it, or undefined if it is not a plain one. */
function plainAscii(email: string): string | undefined {
  const at = email.lastIndexOf("@");
  const address = `${email.slice(0, at)}@${domainToASCII(email.slice(at + 1))}`;
  return plainAddress.test(address) ? address : undefined;
}

/** The same at each attempt, so that a mail which arrives twice can be recognised by who receives it. */
function messageIdOf({ id }: Contact, to: string, siteUrl: string): string {
  const recipient = createHash("sha256").update(to).digest("hex").slice(0, 16);
  return `<contact.${id}.${recipient}@${new URL(siteUrl).hostname}>`;
}
