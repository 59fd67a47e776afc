import { type Contact, lengthMax, loneSurrogates } from "./contact.ts";

type Fields = Readonly<Record<keyof Contact, string>>;

interface Words {
  to: string;
  subject(fields: Fields): string;
  lines(fields: Fields): readonly string[];
}

/**
 * A contact as a mail that its writer sends. It keeps the characters that cleaning removes, because a mail may have
 * them. Texts are cut, because some mail programs do not open a link of more than 2,000 characters.
 */
export function prepareMail(typed: Fields, words: Words): { href: string; text: string } {
  const fields = {
    name: oneLine(typed.name, lengthMax.name),
    company: oneLine(typed.company, lengthMax.company),
    email: oneLine(typed.email, lengthMax.email),
    interest: typed.interest,
  };
  const lines = words.lines(fields);
  const address = encodeURIComponent(words.to).replace("%40", "@");
  // RFC 6068 wants a line break of a body as CR LF.
  const [subject, body] = [words.subject(fields), lines.join("\r\n")].map(encodeURIComponent);
  return { href: `mailto:${address}?subject=${subject}&body=${body}`, text: lines.join("\n") };
}

/** `encodeURIComponent` throws for half of a character, and a line break would add a field that nobody typed. */
function oneLine(text: string, max: number): string {
  const line = text
    .replace(loneSurrogates, "\ufffd")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return [...line].slice(0, max).join("");
}
