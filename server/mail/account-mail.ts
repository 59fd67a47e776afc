import { brand } from "#content/brand";
import { html } from "./html.ts";
import { type Letter, letters } from "./words.ts";

/** What the owner of an account should read. */
export interface AccountMail {
  kind: keyof typeof letters;
  to: string;
  /** Where the one button leads. */
  link: string;
}

/** An e-mail as it leaves. */
export interface Message {
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
}

export function writeAccountMail({ kind, to, link }: AccountMail, from: string): Message {
  const letter = letters[kind];
  return { to, from, subject: letter.subject, text: asText(letter, link), html: asHtml(letter, link) };
}

function asText({ paragraphs, button, remark }: Letter, link: string): string {
  return [...paragraphs, `${button}:\n${link}`, remark, `-- \n${brand.name}`].join("\n\n");
}

/** Mail programs know little CSS and no files, so the few colours of the brand stand in the elements. */
function asHtml({ subject, paragraphs, button, remark }: Letter, link: string): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:32px 16px;background:#faf7f0;color:#10231c;font:16px/1.5 sans-serif">
<div style="max-width:32em;margin:0 auto">
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}
<p style="margin:24px 0"><a href="${link}" style="padding:12px 20px;border-radius:6px;background:#2a6248;color:#faf7f0;text-decoration:none">${button}</a></p>
<p style="font-size:14px">${remark}</p>
<p style="font-size:14px">If the button does nothing, open this address:<br><a href="${link}" style="color:#2a6248;word-break:break-all">${link}</a></p>
<p style="font-size:14px">${brand.name}</p>
</div>
</body>
</html>
`.toString();
}
