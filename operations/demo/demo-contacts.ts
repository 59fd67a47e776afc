import { companies, notes, people } from "./demo-people.ts";

export type DemoContact = ReturnType<typeof createDemoContacts>[number];

export const demoContactsCount = 300;

/** The ids of all demo contacts begin with this text, so that they are found even if they were corrected. */
export const demoIdPrefix = "de300000-0000-4000-8000-";

/** The domain is reserved for examples (RFC 2606), so the address is no real person's. */
export const demoAdmin = "admin@demo.example";

/** Where the contacts come from. */
export const demoSources = [
  { referrer: "search.example", campaign: "", first_page: "/" },
  { referrer: "news.example", campaign: "", first_page: "/case-studies/language-school" },
  { referrer: "mail.example", campaign: "newsletter / email / spring", first_page: "/" },
  { referrer: "podcast.example", campaign: "podcast / audio / spring", first_page: "/case-studies/bicycle-maker" },
] as const;

const halfYearDays = 26 * 7;
const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * The contacts of the 26 weeks until `now`: more and more of them, on work days and in office hours, every tenth is spam.
 * The older one is, the likelier it was answered. The same `now` gives the same contacts.
 */
export function createDemoContacts(now: Date) {
  return Array.from({ length: demoContactsCount }, (_, index) => {
    const contact = contactOf(index, now.getTime() / dayMilliseconds);
    return index % 10 === 5 ? { ...contact, ...spamOf(index) } : contact;
  });
}

/** All times are days since 1970, as fractions. */
function contactOf(index: number, now: number) {
  const person = (index * 61) % people.length;
  const { name, mailbox } = pick(people, person);
  const [company, domain] = person % 6 === 0 ? ["", "post"] : pick(companies, person);
  const sent = dayOf(index, now);
  const state = pick(statesAt(now - sent), index);
  const isAnswered = state !== "new";
  const changed = dateOf(isAnswered ? sent + scatter(index) * Math.min(now - sent, 4) : sent);
  return {
    id: demoIdPrefix + String(index + 1).padStart(12, "0"),
    name,
    company,
    email: `${mailbox}@${domain}.example`,
    interest: pick(["consulting", "consulting", "co-development", "partnerships"], index),
    submitted_at: dateOf(sent),
    state,
    state_changed_at: changed,
    /** A quarter of the contacts is the demo's administrator's. */
    handled_by_since: index % 4 === 1 ? changed : null,
    note: isAnswered && index % 5 === 0 ? pick(notes, index / 5) : "",
    spam_reason: null as string | null,
    ...pick(demoSources, [0, 0, 1, 2, 0, 3, 2][index % 7] ?? 0),
  };
}

/** Every other one was noticed by the rules, in the words of the trigger on contacts; the others an administrator marked. */
function spamOf(index: number) {
  const isOfRules = index % 20 === 5;
  return {
    ...{ name: `SALES TEAM ${index}`, company: "Global Lead Lists Ltd", email: `offer${index}@leadlists.example` },
    ...{ state: "spam" as const, note: "", handled_by_since: null, referrer: "", campaign: "", first_page: "" },
    spam_reason: isOfRules ? "More than 30 contacts within an hour came from the same internet address." : null,
  };
}

/** The last ones are of today, so that the inbox has something new. */
function dayOf(index: number, now: number): number {
  const minutesAgo = [3, 38, 150][demoContactsCount - 1 - index];
  if (minutesAgo !== undefined) return now - minutesAgo / (24 * 60);
  const elapsed = ((index + 0.5) / demoContactsCount) ** 0.7;
  const day = Math.floor(now) - Math.ceil((1 - elapsed) * halfYearDays);
  const isWeekend = [0, 6].includes(dateOf(day).getUTCDay());
  return (isWeekend && index % 5 !== 0 ? day - 2 : day) + 0.25 + scatter(index) / 2;
}

function statesAt(age: number): readonly ("new" | "handled" | "archived" | "spam")[] {
  if (age < 2) return ["new"];
  if (age < 14) return ["new", "new", "handled", "handled", "handled"];
  return age < 60 ? ["new", ...Array(14).fill("handled"), ...Array(10).fill("archived")] : ["archived"];
}

function dateOf(day: number): Date {
  return new Date(day * dayMilliseconds);
}

/** Fractions that look random: the multiples of the golden ratio. */
function scatter(index: number): number {
  return (index * 0.618_034) % 1;
}

function pick<const T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}
