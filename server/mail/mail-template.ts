import { brand } from "#content/brand";
import { html } from "./html.ts";

/** An e-mail as it leaves. */
export interface Message {
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  /** Whom an answer reaches; without it, the sender. */
  replyTo?: { name: string; address: string };
  messageId?: string;
}

/** What all our mails are made of, in this order. */
export interface MailTemplate {
  subject: string;
  paragraphs: readonly string[];
  /** What somebody told us, each with its name. */
  facts?: readonly (readonly [name: string, value: string])[];
  button: string;
  /** What stands before a code that can be typed instead of pressing the button. */
  codeWords?: string;
  /** After the button, in smaller type. */
  remark: string;
}

/** What differs from one mail of a kind to the next. */
export interface MailValues {
  /** Where the one button leads. */
  link: string;
  code?: string | undefined;
}

export function renderText(
  { paragraphs, facts = [], button, codeWords, remark }: MailTemplate,
  { link, code }: MailValues,
) {
  const table = facts.map(([name, value]) => `${name}: ${value}`).join("\n");
  return [
    ...paragraphs,
    ...(table ? [table] : []),
    `${button}:\n${link}`,
    ...(code ? [`${codeWords}: ${code}`] : []),
    remark,
    `-- \n${brand.name}`,
  ].join("\n\n");
}

/** Mail programs know little CSS and no files, so the few colours of the brand stand in the elements. */
export function renderHtml(letter: MailTemplate, { link, code }: MailValues): string {
  const { subject, paragraphs, facts = [], button, codeWords = "", remark } = letter;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:32px 16px;background:#faf7f0;color:#10231c;font:16px/1.5 sans-serif">
<div style="max-width:32em;margin:0 auto">
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}
${facts.length > 0 ? html`<table style="border-collapse:collapse">\n${facts.map(row)}</table>\n` : ""}
<p style="margin:24px 0"><a href="${link}" style="padding:12px 20px;border-radius:6px;background:#2a6248;color:#faf7f0;text-decoration:none">${button}</a></p>
${code ? html`<p>${codeWords}: ${digits(code)}</p>\n` : ""}<p style="font-size:14px">${remark}</p>
<p style="font-size:14px">If the button does nothing, open this address:<br><a href="${link}" style="color:#2a6248;word-break:break-all">${link}</a></p>
<p style="font-size:14px">${brand.name}</p>
</div>
</body>
</html>
`.toString();
}

/** Easier to read in two halves, and copied in one piece. A template has a name instead of a code. */
function digits(code: string) {
  if (!/^\d{6}$/.test(code)) return html`<strong style="font-size:20px">${code}</strong>`;
  return html`<strong style="font-size:20px;white-space:nowrap">${code.slice(0, 3)}<span style="padding-left:6px">${code.slice(3)}</span></strong>`;
}

function row([name, value]: readonly [string, string]) {
  return html`<tr><td style="padding:2px 16px 2px 0;vertical-align:top;font-size:14px">${name}</td><td style="padding:2px 0;word-break:break-word">${value}</td></tr>\n`;
}
