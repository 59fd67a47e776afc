import { expect, test } from "vitest";
import { cleanText, isContactEmail, lengthMax } from "#validation/contact";
import { createDemoContacts, demoContactsCount } from "./demo-contacts.ts";

const now = new Date("2026-03-04T10:20:00Z");
const contacts = createDemoContacts(now);
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
