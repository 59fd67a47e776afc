import { demoIdPrefix } from "#server/doctor/people-checks";
import { companies, notes, people } from "./demo-people.ts";

/** A row of `contacts`, as far as the demo fills it. */
export interface DemoContact {
  id: string;
  name: string;
  company: string;
  email: string;
  interest: "consulting" | "co-development" | "partnerships";
  submitted_at: Date;
  state: "new" | "handled" | "archived" | "spam";
  state_changed_at: Date;
  note: string;
  spam_reason: string | null;
}

type NewContact = Omit<DemoContact, "id">;

export const demoContactsCount = 300;

const days = 26 * 7;
const spamOfRules = 18;
const spamByHand = 14;
const honestCount = demoContactsCount - spamOfRules - spamByHand;
const minuteMilliseconds = 60 * 1000;
const hourMilliseconds = 60 * minuteMilliseconds;
const dayMilliseconds = 24 * hourMilliseconds;

/**
 * The contacts of the 26 weeks until `now`, oldest first: more and more of them, on work days and in office hours. The
 * older one is, the likelier it was answered. The same `now` gives the same contacts.
 */
export function createDemoContacts(now: Date): DemoContact[] {
  const honest = Array.from({ length: honestCount }, (_, index) => contactOf(index, now.getTime()));
  const spam = Array.from({ length: spamOfRules + spamByHand }, (_, index) => spamOf(index, now.getTime()));
  return [...honest, ...spam]
    .sort((one, other) => one.submitted_at.getTime() - other.submitted_at.getTime())
    .map((contact, index) => ({ ...contact, id: demoIdPrefix + String(index + 1).padStart(12, "0") }));
}

function contactOf(index: number, now: number): NewContact {
  const person = (index * 61) % people.length;
  const { name, mailbox } = pick(people, person);
  const [company, domain] = person % 6 === 0 ? ["", "post"] : pick(companies, person);
  const time = timeOf(index, now);
  const state = pick(statesAt((now - time) / dayMilliseconds), index);
  const isAnswered = state !== "new";
  const answered = time + scatter(index) * Math.min(now - time, 4 * dayMilliseconds);
  return {
    name,
    company,
    email: `${mailbox}@${domain}.example`,
    interest: pick(["consulting", "consulting", "co-development", "partnerships"], index),
    submitted_at: new Date(time),
    state,
    state_changed_at: new Date(isAnswered ? answered : time),
    note: isAnswered && index % 5 === 0 ? pick(notes, index / 5) : "",
    spam_reason: null,
  };
}

/** The last ones are of today, so that the inbox has something new. */
function timeOf(index: number, now: number): number {
  const minutesAgo = [3, 38, 150][honestCount - 1 - index];
  if (minutesAgo !== undefined) return now - minutesAgo * minuteMilliseconds;
  // The inverse of a density that grows from one part at the beginning to three at the end.
  const elapsed = (Math.sqrt(1 + (8 * (index + 0.5)) / honestCount) - 1) / 2;
  const day = (Math.floor(now / dayMilliseconds) - Math.ceil((1 - elapsed) * days)) * dayMilliseconds;
  const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
  const workday = isWeekend && index % 5 !== 0 ? day - 2 * dayMilliseconds : day;
  return workday + (6 + 12 * scatter(index)) * hourMilliseconds;
}

function statesAt(ageDays: number): readonly DemoContact["state"][] {
  if (ageDays < 2) return ["new"];
  if (ageDays < 14) return ["new", "new", "handled", "handled", "handled"];
  return ageDays < 60 ? ["new", ...Array(14).fill("handled"), ...Array(10).fill("archived")] : ["archived"];
}

/** A flood of one hour, which the rules noticed, and advertising that an administrator has marked one by one. */
function spamOf(index: number, now: number): NewContact {
  const isOfRules = index < spamOfRules;
  const age = (1 + scatter(index) * (days - 1)) * dayMilliseconds;
  const time = isOfRules ? now - 17 * dayMilliseconds + index * 47_000 : now - age;
  const [company, domain] = pick(
    [
      ["Best SEO Rank 1 Guaranteed", "seo-rank"],
      ["Cheap Backlinks 24/7", "backlinks"],
      ["Global Lead Lists Ltd", "leadlists"],
    ],
    index,
  );
  return {
    name: `${pick(["Kevin", "Jessica", "SALES TEAM"], index)} ${index + 1}`,
    company: `${company}`,
    email: `offer${index + 1}@${domain}.example`,
    interest: "partnerships",
    submitted_at: new Date(time),
    state: "spam",
    state_changed_at: new Date(isOfRules ? time : time + scatter(index) * dayMilliseconds),
    note: "",
    // In the words of the trigger on contacts.
    spam_reason: isOfRules ? "More than 30 contacts within an hour came from the same internet address." : null,
  };
}

/** Fractions that look random: the multiples of the golden ratio. */
function scatter(index: number): number {
  return (index * 0.618_034) % 1;
}

function pick<const T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}
