/**
 * The contact fields as browser and server agree on them (specification, sections 5 and 9).
 * `supabase/migrations/` says the same in SQL; `tests/fixtures/contact-cases.json` holds both to it.
 */
export const interests = ["consulting", "co-development", "partnerships"] as const;
export type Interest = (typeof interests)[number];

export interface Contact {
  name: string;
  company: string;
  email: string;
  interest: Interest;
}

/** In code points, as PostgreSQL counts them. */
export const lengthMax = { name: 120, company: 160, email: 160 } as const;

export const waitSeconds = 30;

/** What is wrong with a contact; the words for it are in `content/messages.ts`. */
export type Problem = "noName" | "noCompany" | "noEmail" | "noInterest";

/** A line break is one of U+000A to U+000D, U+0085, U+2028, U+2029, or the pair U+000D U+000A, which is one break. */
const tabsAndLineBreaks = /\r\n|[\t-\r\u0085\u2028\u2029]/g;
const removed = /[<>"']/g;

/**
 * Cleaning, in this order: a tab or line break becomes one space; white space goes at both ends (the characters that
 * `String.prototype.trim` knows); `< > " '` go; white space goes at both ends again; the text is cut to `max` code
 * points; white space goes at the end. Cleaning a cleaned text changes nothing.
 */
export function cleanText(raw: string, max: number): string {
  const text = raw.toWellFormed().replace(tabsAndLineBreaks, " ").trim().replace(removed, "").trim();
  return [...text].slice(0, max).join("").trimEnd();
}

/**
 * As `cleanText`, lower-cased before everything else, by Unicode's full mapping and no language's own. PostgreSQL asks
 * its ICU for the same; a capital younger than that ICU's Unicode stays a capital there.
 */
export function cleanEmail(raw: string): string {
  return cleanText(raw.toLowerCase(), lengthMax.email);
}

export function isInterest(value: unknown): value is Interest {
  return interests.some((interest) => interest === value);
}

/** The cleaned contact, or the first problem in the order of the form's fields. */
export function readContact(
  raw: Readonly<Record<keyof Contact, string>>,
): { contact: Contact; problem?: never } | { problem: Problem; contact?: never } {
  const name = cleanText(raw.name, lengthMax.name);
  const company = cleanText(raw.company, lengthMax.company);
  const email = cleanEmail(raw.email);
  const { interest } = raw;

  if (name === "") return { problem: "noName" };
  if (company === "") return { problem: "noCompany" };
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return { problem: "noEmail" };
  if (!isInterest(interest)) return { problem: "noInterest" };
  return { contact: { name, company, email, interest } };
}
