import { brand } from "#content/brand";
import { language } from "#content/language";
import { html } from "#server/escape-html";
import { dark, light } from "#site/styles/colours.ts";

/** A name is data: the mail library quotes what means something in a header, such as a comma or a colon. */
export interface Mailbox {
  name: string;
  address: string;
}

/** The sender of all mails if MAIL_FROM is not set. */
export const brandMailbox = (): Mailbox => ({ name: brand.name, address: brand.email });

/** An e-mail as it is sent. */
export interface Message {
  /** An address without a name. */
  to: string;
  from: Mailbox;
  subject: string;
  text: string;
  html: string;
  /** If it is undefined, a reply goes to the sender. */
  replyTo?: Mailbox;
  messageId?: string;
}

/** The parts of every mail, in this order. */
export interface MailTemplate {
  subject: string;
  paragraphs: readonly string[];
  details?: readonly (readonly [name: string, value: string])[];
  button: string;
  /** The words before the code. A user can type the code instead of pressing the button. */
  codeWords?: string;
  /** The last paragraph, after the button, in smaller type. */
  remark: string;
}

export interface MailValues {
  /** The URL that the mail's button opens. */
  link: string;
  code?: string | undefined;
}

export function renderText(template: MailTemplate, { link, code }: MailValues): string {
  const { paragraphs, details = [], button, codeWords, remark } = template;
  const table = details.map(([name, value]) => `${name}: ${value}`).join("\n");
  return [
    ...paragraphs,
    ...(table ? [table] : []),
    `${button}:\n${link}`,
    ...(code ? [`${codeWords}: ${code}`] : []),
    remark,
    `-- \n${brand.name}`,
  ].join("\n\n");
}

/** The dark scheme, for mail programs that read style sheets. The others show the light one, or darken it themselves. */
const darkStyles = html`<style>@media (prefers-color-scheme: dark) {
body { background: ${dark.ground} !important; color: ${dark.text} !important }
.link { color: ${dark.accent} !important }
.button { background: ${dark.button} !important; color: ${dark["on-button"]} !important }
}</style>`;

/**
 * The name over a rule in the highlight colour, as the last line of the landing page's headline. It is text and the
 * background of a table cell, which every mail program shows: remote pictures are blocked, attached ones are listed as
 * attachments, and a hosted project cannot attach any.
 */
const brandMark = html`<table role="presentation" cellspacing="0" cellpadding="0" border="0" style="margin:0 0 28px">
<tr><td style="padding:0 2px;font:bold 24px/1.3 Georgia,serif">${brand.name}</td></tr>
<tr><td bgcolor="${light.highlight}" style="height:7px;background:${light.highlight};font-size:1px;line-height:7px">&nbsp;</td></tr>
</table>`;

/** The styles are inline, because some mail programs drop style sheets. */
export function renderHtml(template: MailTemplate, { link, code }: MailValues): string {
  const { subject, paragraphs, details = [], button, codeWords = "", remark } = template;
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${subject}</title>
${darkStyles}
</head>
<body style="margin:0;padding:32px 16px;background:${light.ground};color:${light.text};font:16px/1.5 sans-serif">
<div style="max-width:32em;margin:0 auto">
${brandMark}
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}
${details.length > 0 ? html`<table style="border-collapse:collapse">\n${details.map(row)}</table>\n` : ""}
${buttonTo(link, button)}
${code ? html`<p>${codeWords}: ${digits(code)}</p>\n` : ""}<p style="font-size:14px">${remark}</p>
<p style="font-size:14px">If the button doesn’t work, open this link:<br><a class="link" href="${link}" style="color:${light.accent};word-break:break-all">${link}</a></p>
</div>
</body>
</html>
`.toString();
}

/** Outlook ignores the padding of a link, so there the table cell has it. */
function buttonTo(link: string, label: string) {
  return html`<table role="presentation" cellspacing="0" cellpadding="0" border="0" style="margin:24px 0"><tr><td class="button" bgcolor="${light.button}" style="border-radius:6px;background:${light.button};mso-padding-alt:12px 20px"><a class="button" href="${link}" style="display:inline-block;padding:12px 20px;border-radius:6px;color:${light["on-button"]};text-decoration:none">${label}</a></td></tr></table>`;
}

/**
 * Shows a code as two halves. The gap between them is padding, so it is not copied. In the templates for hosted
 * Supabase, the code is a placeholder.
 */
function digits(code: string) {
  if (!/^\d{6}$/.test(code)) return html`<strong style="font-size:20px">${code}</strong>`;
  return html`<strong style="font-size:20px;white-space:nowrap">${code.slice(0, 3)}<span style="padding-left:6px">${code.slice(3)}</span></strong>`;
}

function row([name, value]: readonly [string, string]) {
  return html`<tr><td style="padding:2px 16px 2px 0;vertical-align:baseline;font-size:14px">${name}</td><td style="padding:2px 0;vertical-align:baseline;word-break:break-word">${value}</td></tr>\n`;
}
