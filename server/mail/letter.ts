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
export interface Letter {
  subject: string;
  paragraphs: readonly string[];
  /** What somebody told us, each with its name. */
  facts?: readonly (readonly [name: string, value: string])[];
  button: string;
  /** After the button, in smaller type. */
  remark: string;
}

export function asText({ paragraphs, facts = [], button, remark }: Letter, link: string): string {
  const table = facts.map(([name, value]) => `${name}: ${value}`).join("\n");
  return [...paragraphs, ...(table ? [table] : []), `${button}:\n${link}`, remark, `-- \n${brand.name}`].join("\n\n");
}

/** Mail programs know little CSS and no files, so the few colours of the brand stand in the elements. */
export function asHtml({ subject, paragraphs, facts = [], button, remark }: Letter, link: string): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:32px 16px;background:#faf7f0;color:#10231c;font:16px/1.5 sans-serif">
<div style="max-width:32em;margin:0 auto">
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}
${facts.length > 0 ? html`<table style="border-collapse:collapse">\n${facts.map(row)}</table>\n` : ""}
<p style="margin:24px 0"><a href="${link}" style="padding:12px 20px;border-radius:6px;background:#2a6248;color:#faf7f0;text-decoration:none">${button}</a></p>
<p style="font-size:14px">${remark}</p>
<p style="font-size:14px">If the button does nothing, open this address:<br><a href="${link}" style="color:#2a6248;word-break:break-all">${link}</a></p>
<p style="font-size:14px">${brand.name}</p>
</div>
</body>
</html>
`.toString();
}

function row([name, value]: readonly [string, string]) {
  return html`<tr><td style="padding:2px 16px 2px 0;vertical-align:top;font-size:14px">${name}</td><td style="padding:2px 0;word-break:break-word">${value}</td></tr>\n`;
}
