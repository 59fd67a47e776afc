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

export const demoContactsCount = 300;

const days = 26 * 7;
const spamOfRules = 18;
const spamByHand = 14;
const minuteMilliseconds = 60 * 1000;
const hourMilliseconds = 60 * minuteMilliseconds;
const dayMilliseconds = 24 * hourMilliseconds;

type Random = () => number;
type Sender = Pick<DemoContact, "name" | "company" | "email">;
type NewContact = Omit<DemoContact, "id">;

/**
 * The contacts of the 26 weeks until `now`, oldest first: more and more of them, on work days and in office hours. The
 * older one is, the likelier it was answered. The same `now` gives the same contacts.
 */
export function createDemoContacts(now: Date): DemoContact[] {
  const random = seededRandom();
  const senders = people.map((person) => ({ rank: random(), ...senderOf(random, person) }));
  senders.sort((one, other) => one.rank - other.rank);
  const regulars = senders.slice(0, 14);

  const times = timesOf(random, now, demoContactsCount - spamOfRules - spamByHand);
  const honest = times.map((time, index) => {
    // Some people write more than once, often about something else.
    const sender = random() < 0.2 ? pick(random, regulars) : (senders[index % senders.length] as Sender);
    return contactOf(random, sender, time, now);
  });
  return [...honest, ...spamOf(random, now)]
    .sort((one, other) => one.submitted_at.getTime() - other.submitted_at.getTime())
    .map((contact, index) => ({ ...contact, id: demoIdPrefix + String(index + 1).padStart(12, "0") }));
}

function senderOf(random: Random, { name, mailbox }: (typeof people)[number]): Sender {
  if (random() < 0.16) return { name, company: "", email: `${mailbox}@post.example` };
  const [company, domain] = pick(random, companies);
  return { name, company, email: `${mailbox}@${domain}.example` };
}

/** The last ones are of today, so that the inbox has something new. */
function timesOf(random: Random, now: Date, count: number): Date[] {
  const fresh = [3, 38, 150].map((minutes) => now.getTime() - minutes * minuteMilliseconds);
  const today = Math.floor(now.getTime() / dayMilliseconds) * dayMilliseconds;
  const earlier = Array.from({ length: count - fresh.length }, (_, index) => {
    // The inverse of a density that grows from one part at the beginning to three at the end.
    const elapsed = (Math.sqrt(1 + (8 * (index + 0.5)) / count) - 1) / 2;
    const day = today - Math.ceil((1 - elapsed) * days) * dayMilliseconds;
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    const workday = isWeekend && random() < 0.8 ? day - 2 * dayMilliseconds : day;
    return workday + (6 + 6 * (random() + random())) * hourMilliseconds;
  });
  return [...earlier, ...fresh].map((time) => new Date(time));
}

function contactOf(random: Random, sender: Pick<DemoContact, keyof Sender>, time: Date, now: Date): NewContact {
  const age = now.getTime() - time.getTime();
  const state = pick(random, statesAt(age / dayMilliseconds));
  const isAnswered = state !== "new";
  const answered = new Date(time.getTime() + random() * Math.min(age, 4 * dayMilliseconds));
  return {
    name: sender.name,
    company: sender.company,
    email: sender.email,
    interest: pick(random, ["consulting", "consulting", "co-development", "partnerships"] as const),
    submitted_at: time,
    state,
    state_changed_at: isAnswered ? answered : time,
    note: isAnswered && random() < 0.22 ? pick(random, notes) : "",
    spam_reason: null,
  };
}

function statesAt(ageDays: number): readonly DemoContact["state"][] {
  if (ageDays < 2) return ["new"];
  if (ageDays < 14) return ["new", "new", "handled", "handled", "handled"];
  return ageDays < 60 ? ["new", ...Array(14).fill("handled"), ...Array(10).fill("archived")] : ["archived"];
}

/** A flood of one hour, which the rules noticed, and advertising that an administrator has marked one by one. */
function spamOf(random: Random, now: Date): NewContact[] {
  return Array.from({ length: spamOfRules + spamByHand }, (_, index) => {
    const isOfRules = index < spamOfRules;
    const floodBegan = now.getTime() - 17 * dayMilliseconds;
    const age = (1 + random() * (days - 1)) * dayMilliseconds;
    const time = isOfRules ? floodBegan + index * 47_000 : now.getTime() - age;
    const [company, domain] = pick(random, [
      ["Best SEO Rank 1 Guaranteed", "seo-rank"],
      ["Cheap Backlinks 24/7", "backlinks"],
      ["Global Lead Lists Ltd", "leadlists"],
    ] as const);
    return {
      name: `${pick(random, ["Kevin", "Jessica", "SALES TEAM"])} ${index + 1}`,
      company,
      email: `offer${index + 1}@${domain}.example`,
      interest: "partnerships",
      submitted_at: new Date(time),
      state: "spam",
      state_changed_at: new Date(isOfRules ? time : time + random() * dayMilliseconds),
      note: "",
      // In the words of the trigger on contacts.
      spam_reason: isOfRules ? "More than 30 contacts within an hour came from the same internet address." : null,
    };
  });
}

/** Numbers from 0 to 1, in the same sequence at each run (Park and Miller's generator). */
function seededRandom(): Random {
  let state = 13;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}
