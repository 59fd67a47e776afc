import { expect, test } from "vitest";
import { handOverName, handOverText } from "./hand-over";

const contact = {
  id: "6f1c9a52-0c5e-4a43-9d0a-4f2d3c1b0a99",
  name: "Ada Heron",
  company: "",
  email: "ada@example.com",
  interest: "consulting",
  submitted_at: "2026-02-03T18:05:00.123456+00:00",
  state: "handled",
  state_changed_at: "2026-02-04T08:00:00+00:00",
  note: "Called back.\nWants an offer.",
  note_version: 2,
  spam_reason: null,
  announced: true,
} as const;

test("the file about an address has every column of its contacts, and names what it does not have", () => {
  const now = new Date("2026-11-22T08:00:00Z");
  const file = JSON.parse(handOverText(contact.email, [contact], now));
  expect(file.contacts).toEqual([contact]);
  expect(file.not_in_this_file).toContain(`npm run admin -- export ${contact.email}`);
  expect(handOverName("a/b:c@example.com", now)).toMatch(/^stored-about-a_b_c@example\.com-2026-11-22\.json$/);
});
