import { demoIdPrefix } from "#server/doctor/people-checks";
import { companies, cultures, notes, privateDomains, spammers, unusualPeople } from "./demo-people.ts";

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

export const demoContactsCount = 300;

const weeks = 26;
const spamOfRules = 18;
const spamByHand = 14;
const hourMilliseconds = 60 * 60 * 1000;
const dayMilliseconds = 24 * hourMilliseconds;

/** How many of 26 contacts come on each day of the week, from Monday on. */
const weekdays = [5, 6, 5, 5, 3, 1, 1];

/** How many of 68 contacts come in each hour of a day (UTC). */
const hours = [0, 0, 0, 0, 0, 1, 1, 2, 5, 8, 8, 6, 4, 5, 8, 7, 5, 3, 1, 1, 1, 1, 1, 0];

/** The words of the rules in supabase/migrations/20261122030000_contact_rules.sql. */
const reasons = [
  "More than 30 contacts within an hour came from the same internet address.",
  "More than 60 contacts within an hour came from the same network.",
] as const;

type Random = () => number;
type Sender = Pick<DemoContact, "name" | "company" | "email">;

/**
 * The contacts of the 26 weeks until `now`, oldest first: each week has more than the one before, a week has a rhythm of
 * days and hours, and the older a contact, the likelier it was answered. The same `now` gives the same contacts.
 */
export function createDemoContacts(now: Date): DemoContact[] {
  const random = seededRandom(13);
  const people = createPeople(random);
  const times = createTimes(random, now, demoContactsCount - spamOfRules - spamByHand);
  const regulars = people.slice(0, 14);
  const others = people.slice(14);

  const honest = times.map((time, index) => {
    // Some people write more than once, often about something else.
    const sender = random() < 0.2 ? pick(random, regulars) : (others[index % others.length] as Sender);
    return asContact(random, sender, time, now);
  });
  return [...honest, ...createSpam(random, times, now)]
    .sort((a, b) => a.submitted_at.getTime() - b.submitted_at.getTime())
    .map((contact, index) => ({ ...contact, id: demoIdPrefix + String(index + 1).padStart(12, "0") }));
}

/** Everyone writes from an address of their own. */
function createPeople(random: Random): Sender[] {
  const people = cultures.flatMap(({ given, family, write }) =>
    given.flatMap(([givenName, givenAscii]) =>
      family.map(([familyName, familyAscii]) => ({
        name: write(givenName, familyName),
        local: `${givenAscii}.${familyAscii}`,
      })),
    ),
  );
  const unusual = unusualPeople.map(([name, local]) => ({ name, local }));
  return shuffled(random, [...people, ...unusual]).map(({ name, local }) => {
    if (random() < 0.16) return { name, company: "", email: `${local}@${pick(random, privateDomains)}` };
    const [company, domain] = pick(random, companies);
    return { name, company, email: `${local}@${domain}.example` };
  });
}

/** The times of honest contacts, oldest first. The last ones are of today, so that the inbox has something new. */
function createTimes(random: Random, now: Date, count: number): Date[] {
  const monday = Math.floor((now.getTime() / dayMilliseconds + 3) / 7) * 7 * dayMilliseconds - 3 * dayMilliseconds;
  const fresh = [3, 38, 150].map((minutes) => now.getTime() - minutes * 60 * 1000);
  // The first week has one part, the last one three.
  const growth = Array.from({ length: weeks }, (_, week) => 1 + (2 * week) / (weeks - 1));
  const earlier = Array.from({ length: count - fresh.length }, () => {
    const week = weighted(random, growth);
    const day = weighted(random, weekdays);
    const inDay = weighted(random, hours) * hourMilliseconds + Math.floor(random() * hourMilliseconds);
    const time = monday + ((week - (weeks - 1)) * 7 + day) * dayMilliseconds + inDay;
    // What would come later this week came a week earlier.
    return time < now.getTime() ? time : time - 7 * dayMilliseconds;
  });
  return [...earlier, ...fresh].sort((a, b) => a - b).map((time) => new Date(time));
}

function asContact(random: Random, sender: Sender, time: Date, now: Date): Omit<DemoContact, "id"> {
  const days = (now.getTime() - time.getTime()) / dayMilliseconds;
  const interest = (["consulting", "co-development", "partnerships"] as const)[weighted(random, [5, 3, 2])];
  const state = (["new", "handled", "archived"] as const)[weighted(random, chancesOfStates(days))];
  const isAnswered = state !== "new";
  const answerMilliseconds = random() * Math.min(days, 4) * dayMilliseconds;
  const note = random() < 0.22 ? pick(random, notes) : "";
  return {
    ...sender,
    interest: interest ?? "consulting",
    submitted_at: time,
    state: state ?? "new",
    state_changed_at: new Date(time.getTime() + (isAnswered ? answerMilliseconds : 0)),
    note: isAnswered ? note : "",
    spam_reason: null,
  };
}

function chancesOfStates(days: number): readonly number[] {
  if (days < 2) return [1, 0, 0];
  if (days < 14) return [4, 6, 1];
  return days < 60 ? [1, 14, 10] : [0, 3, 22];
}

/** A flood of one hour, which the rules noticed, and advertising that an administrator has marked one by one. */
function createSpam(random: Random, times: readonly Date[], now: Date): Omit<DemoContact, "id">[] {
  const floodBegan = now.getTime() - 17 * dayMilliseconds;
  const ofRules = Array.from({ length: spamOfRules }, (_, index) => {
    const time = new Date(floodBegan + index * 47_000);
    const reason = reasons[index % 4 === 3 ? 1 : 0] as string;
    return spamContact(random, index, { time, changedAt: time, reason });
  });
  const byHand = Array.from({ length: spamByHand }, (_, index) => {
    const time = new Date(pick(random, times).getTime() + 61_000);
    const changedAt = new Date(Math.min(now.getTime(), time.getTime() + random() * dayMilliseconds));
    return spamContact(random, spamOfRules + index, { time, changedAt, reason: null });
  });
  return [...ofRules, ...byHand];
}

function spamContact(
  random: Random,
  index: number,
  { time, changedAt, reason }: { time: Date; changedAt: Date; reason: string | null },
): Omit<DemoContact, "id"> {
  const [company, domain] = pick(random, spammers);
  return {
    name: `${pick(random, ["Kevin", "Jessica", "SALES TEAM", "Mr. Smith"])} ${index + 1}`,
    company,
    email: `offer${index + 1}@${domain}.example`,
    interest: pick(random, ["consulting", "partnerships"] as const),
    submitted_at: time,
    state: "spam",
    state_changed_at: changedAt,
    note: "",
    spam_reason: reason,
  };
}

/** Numbers from 0 to 1 in a sequence that the seed decides (mulberry32). */
function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((entry) => ({ entry, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

/** A random index; an index with twice the weight comes twice as often. */
function weighted(random: Random, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let left = random() * sum;
  return weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
}
