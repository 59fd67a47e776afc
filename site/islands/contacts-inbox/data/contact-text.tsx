import { Fragment } from "react";
import { contactWords, findInterestLabel } from "#content/contact";
import { inboxWords } from "#content/inbox";

export const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** `Intl` throws for times that PostgreSQL has and JavaScript has not: one such row would replace the page by an error. */
export function formatTime(time: string | Date, format = dateAndTime): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? inboxWords.noTime(String(time)) : format.format(date);
}

const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const dayAndMonth = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const monthAndYear = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" });

/** A time as people say it: "15:22" today, "Mon" in the last week, "23 Nov" in the last half year, else "Nov 2025". */
export function formatShortly(time: string | Date, now = new Date()): string {
  const dayOf = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
  const days = Math.abs(dayOf(now) - dayOf(new Date(time)));
  if (days === 0) return formatTime(time, timeOfDay);
  return formatTime(time, days < 7 ? weekday : days < 183 ? dayAndMonth : monthAndYear);
}

/** A `mailto:` address, with these header fields of the mail (RFC 6068). */
export function mailAddress(email: string, fields: Record<string, string> = {}): string {
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const address = encodeURIComponent(withAsciiDomain(email)).replace("%40", "@");
  return `mailto:${[address, query.join("&")].filter(Boolean).join("?")}`;
}

/** Not every mail program turns a domain in letters into the form that mail servers know. */
function withAsciiDomain(email: string): string {
  return email.replace(/(?<=@)(?=.*[^\w.-])[\p{L}\p{M}\p{N}.-]+$/u, (host) =>
    URL.canParse(`https://${host}`) ? new URL(`https://${host}`).hostname : host,
  );
}

export function labelOfInterest(interest: string): string {
  return findInterestLabel(interest) ?? interest;
}

/** The interests to choose from, in a `<select>`. */
export function InterestOptions() {
  return contactWords.interests.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

/** A side of an address that is shorter than this fits into a line of its own, also on a phone. */
const longSide = 28;

/** An email address that breaks after the "@" where it does not fit into one line, and after dots only in a long side. */
export function EmailText({ email }: { email: string }) {
  const parts = email.split(/(?<=@)/).flatMap((side) => (side.length > longSide ? side.split(/(?<=\.)(?=..)/) : side));
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
