import { expect, test } from "vitest";
import { cleanText, interests, isContactEmail, lengthMax } from "#validation/contact";
import { createDemoContacts, type DemoContact, demoContactsCount } from "./demo-contacts.ts";

const now = new Date("2026-03-04T10:20:00Z");
const contacts = createDemoContacts(now);
const count = (isCounted: (contact: DemoContact) => boolean) => contacts.filter(isCounted).length;
const week = 7 * 24 * 60 * 60 * 1000;

test("the demo is 300 contacts of 26 weeks, the same at each run, each with an id of its own", () => {
  expect(createDemoContacts(now)).toEqual(contacts);
  expect(new Set(contacts.map(({ id }) => id)).size).toBe(demoContactsCount);
  const times = contacts.map(({ submitted_at }) => submitted_at.getTime());
  expect(Math.max(...times)).toBeLessThan(now.getTime());
  expect(Math.min(...times)).toBeGreaterThan(now.getTime() - 27 * week);
  expect(new Set(times.map((time) => Math.floor((now.getTime() - time) / week))).size).toBeGreaterThanOrEqual(26);
});

test("the rules of the database leave every demo contact as it is, and its address belongs to nobody", () => {
  for (const { name, company, email } of contacts) {
    expect([cleanText(name, lengthMax.name), cleanText(company, lengthMax.company)]).toEqual([name, company]);
    expect(isContactEmail(email)).toBe(true);
    expect(email).toMatch(/^[\x21-\x7e]+\.example$/);
  }
});

test("the demo has all interests and states, both kinds of spam, notes, people who write again, and growth", () => {
  for (const interest of interests) expect(count((contact) => contact.interest === interest)).toBeGreaterThan(20);
  for (const state of ["new", "handled", "archived", "spam"])
    expect(count((contact) => contact.state === state)).toBeGreaterThan(10);
  expect(count(({ spam_reason }) => spam_reason !== null)).toBeGreaterThan(10);
  expect(count(({ state, spam_reason }) => state === "spam" && spam_reason === null)).toBeGreaterThan(10);
  expect(count(({ company }) => company === "")).toBeGreaterThan(20);
  expect(count(({ note }) => note !== "")).toBeGreaterThan(20);
  expect(new Set(contacts.map(({ email }) => email)).size).toBeLessThan(demoContactsCount - 20);

  const isLate = ({ submitted_at }: DemoContact) => submitted_at.getTime() > now.getTime() - 13 * week;
  const honest = (isCounted: (contact: DemoContact) => boolean) =>
    count((each) => each.state !== "spam" && isCounted(each));
  expect(honest(isLate)).toBeGreaterThan(1.3 * honest((contact) => !isLate(contact)));
  const isWeekend = ({ submitted_at }: DemoContact) => [0, 6].includes(submitted_at.getUTCDay());
  expect(honest(isWeekend) * 5).toBeLessThan(honest((contact) => !isWeekend(contact)));
});
