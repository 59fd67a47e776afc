/**
 * The contact fields, for browser and server (docs/specification.md#contact-fields). `supabase/migrations/` has the
 * same rules in SQL; `tests/fixtures/contact-cases.json` tests both.
 */
export const interests = ["consulting", "co-development", "partnerships"] as const;
export type Interest = (typeof interests)[number];

export interface Contact {
  name: string;
  company: string;
  email: string;
  interest: Interest;
}

/** The maximum lengths of the texts. They are counted in code points, as PostgreSQL does. */
export const lengthMax = { name: 120, company: 160, email: 160 } as const;

export const waitSeconds = 30;

/** The `details` of the database's refusal of a contact that came too soon. At a wrong field they are its name. */
export const tooSoon = "wait";

/** What is wrong with a contact. The messages are in `content/messages.ts`. */
export type Problem = "noName" | "noCompany" | "noEmail" | "noInterest";

/** A line break is one of U+000A to U+000D, U+0085, U+2028, U+2029, or the pair U+000D U+000A as one. */
const tabsAndLineBreaks = /\r\n|[\t-\r\u0085\u2028\u2029]/g;
/** Halves of a character, of which `toWellFormed` would make the same. Firefox 118 and Safari 16.3 lack it. */
export const loneSurrogates = /\p{Cs}/gu;
const removed = /[<>"'\p{Cc}]/gu;
/** Beside control characters. They stay within a text, because emoji and several scripts join characters by them. */
export const invisible = "\\s\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb";
const visible = new RegExp(`[^\\p{Cc}${invisible}]`, "u");
/** One match, because a search for invisible characters before the end would take a square of their number. */
const withoutInvisibleEnds = new RegExp(`[^${invisible}](?:.*[^${invisible}])?`, "su");

/**
 * Cleans a text in this order: a tab or line break becomes one space; white space at both ends is removed (as by
 * `trim`); `< > " '` and control characters are removed; white space at both ends is removed again; the text is cut to
 * `max` code points; white space at the end is removed; a text without a visible character becomes empty. Cleaning a
 * cleaned text changes nothing (docs/specification.md#cleaning).
 */
export function cleanText(raw: string, max: number): string {
  const text = raw.replace(loneSurrogates, "\ufffd").replace(tabsAndLineBreaks, " ").trim().replace(removed, "").trim();
  const cut = [...text].slice(0, max).join("").trimEnd();
  return visible.test(cut) ? cut : "";
}

/**
 * Removes what is invisible at the ends of an email address, turns it into lower case, by Unicode's full mapping without
 * a locale, and composes its accents (NFC); every other change could make it the address of another person. PostgreSQL
 * does the same through ICU, except for capitals that are newer than its version of Unicode.
 */
export function cleanEmail(raw: string): string {
  const [address = ""] = withoutInvisibleEnds.exec(raw) ?? [];
  return address.toLowerCase().normalize();
}

/** What no email address contains, such as halves of a character (`Cs`). */
const neverInEmail = new RegExp(`[${invisible}\\p{Cc}\\p{Cs}<>"]`, "u");

/** Whether a contact may have this cleaned email address (docs/specification.md#email-addresses). */
export function isContactEmail(email: string): boolean {
  return /^[^@]+@[^@]+$/.test(email) && !neverInEmail.test(email) && [...email].length <= lengthMax.email;
}

function isInterest(value: unknown): value is Interest {
  return interests.some((interest) => interest === value);
}

/** The cleaned contact, or the first problem in the order of the form (docs/specification.md#contact-validation). */
export function readContact(
  raw: Readonly<Record<keyof Contact, string>>,
): { contact: Contact; problem?: never } | { problem: Problem; contact?: never } {
  const name = cleanText(raw.name, lengthMax.name);
  const company = cleanText(raw.company, lengthMax.company);
  const email = cleanEmail(raw.email);
  const { interest } = raw;

  if (name === "") return { problem: "noName" };
  if (company === "") return { problem: "noCompany" };
  if (!isContactEmail(email)) return { problem: "noEmail" };
  if (!isInterest(interest)) return { problem: "noInterest" };
  return { contact: { name, company, email, interest } };
}
