import { companies, notes, people } from "./demo-people.ts";

export type DemoContact = ReturnType<typeof createDemoContacts>[number];

export const demoContactsCount = 300;

/** The ids of all demo contacts begin with this text, so that they are found even if they were corrected. */
export const demoIdPrefix = "de300000-0000-4000-8000-";

/** The domain is reserved for examples (RFC 2606), so the address is no real person's. */
export const demoAdmin = "admin@demo.example";

const days = 26 * 7;
const spamOfRules = 18;
const spamByHand = 14;
const honestCount = demoContactsCount - spamOfRules - spamByHand;
const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * The contacts of the 26 weeks until `now`, oldest first: more and more of them, on work days and in office hours. The
 * older one is, the likelier it was answered. The same `now` gives the same contacts.
 */
export function createDemoContacts(now: Date) {
  const today = now.getTime() / dayMilliseconds;
  const honest = Array.from({ length: honestCount }, (_, index) => contactOf(index, today));
  const spam = Array.from({ length: spamOfRules + spamByHand }, (_, index) => spamOf(index, today));
  return [...honest, ...spam]
    .sort((one, other) => one.submitted_at.getTime() - other.submitted_at.getTime())
    .map((contact, index) => ({ ...contact, id: demoIdPrefix + String(index + 1).padStart(12, "0") }));
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
    spam_reason: null,
    ...pick(demoSources, [0, 0, 1, 2, 0, 3, 2][index % 7] ?? 0),
  };
}

/** Where the contacts come from. */
export const demoSources = [
  { referrer: "search.example", campaign: "", first_page: "/" },
  { referrer: "news.example", campaign: "", first_page: "/case-studies/language-school" },
  { referrer: "mail.example", campaign: "newsletter / email / spring", first_page: "/" },
  { referrer: "podcast.example", campaign: "podcast / audio / spring", first_page: "/case-studies/bicycle-maker" },
] as const;

/** The last ones are of today, so that the inbox has something new. */
function dayOf(index: number, now: number): number {
  const minutesAgo = [3, 38, 150][honestCount - 1 - index];
  if (minutesAgo !== undefined) return now - minutesAgo / (24 * 60);
  const elapsed = ((index + 0.5) / honestCount) ** 0.7;
  const day = Math.floor(now) - Math.ceil((1 - elapsed) * days);
  const isWeekend = [0, 6].includes(dateOf(day).getUTCDay());
  return (isWeekend && index % 5 !== 0 ? day - 2 : day) + 0.25 + scatter(index) / 2;
}

function statesAt(age: number): readonly ("new" | "handled" | "archived")[] {
  if (age < 2) return ["new"];
  if (age < 14) return ["new", "new", "handled", "handled", "handled"];
  return age < 60 ? ["new", ...Array(14).fill("handled"), ...Array(10).fill("archived")] : ["archived"];
}

const advertisers = [
  ["Kevin", "Best SEO Rank 1 Guaranteed", "seo-rank"],
  ["Jessica", "Cheap Backlinks 24/7", "backlinks"],
  ["SALES TEAM", "Global Lead Lists Ltd", "leadlists"],
] as const;

/** A flood of a quarter of an hour, which the rules noticed, and advertising that an administrator marked one by one. */
function spamOf(index: number, now: number) {
  const isOfRules = index < spamOfRules;
  const [name, company, domain] = pick(advertisers, index);
  const sent = isOfRules ? now - 17 + index / 2000 : now - 1 - scatter(index) * (days - 1);
  return {
    name: `${name} ${index + 1}`,
    company,
    email: `offer${index + 1}@${domain}.example`,
    interest: "partnerships",
    submitted_at: dateOf(sent),
    state: "spam" as const,
    state_changed_at: dateOf(isOfRules ? sent : sent + scatter(index)),
    handled_by_since: null,
    note: "",
    // In the words of the trigger on contacts.
    spam_reason: isOfRules ? "More than 30 contacts within an hour came from the same internet address." : null,
    referrer: "",
    campaign: "",
    first_page: "",
  };
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
