import { expect, test } from "vitest";
import { findInterestLabel } from "#content/contact";
import { replies, replyWords } from "#content/replies";
import { interests, lengthMax } from "#validation/contact";
import type { StoredContact } from "../../../supabase/read-contacts";
import { repliesTo } from "./reply-offer";

const contact = (values: Partial<StoredContact>) =>
  ({ name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting", ...values }) as StoredContact;

test("there is a template for each interest, and a short one", () => {
  for (const interest of interests) {
    const labels = repliesTo(contact({ interest })).map(({ label }) => label);
    expect(labels).toEqual([findInterestLabel(interest), replies.general.label]);
  }
});

test("no character of a contact ends or changes the link, and line breaks are CR LF (RFC 6068)", () => {
  const name = "Zoë & Söhne = 50%? #1 + 🦩";
  const [reply] = repliesTo(contact({ name, company: "", email: "zoë+1@example.com" }));
  expect(reply?.href).toMatch(/^mailto:zo%C3%AB%2B1@example\.com\?subject=[^?&#\s+]+&body=[^?&#\s+]+$/);
  const { searchParams } = new URL(reply?.href ?? "");
  expect([...searchParams.keys()]).toEqual(["subject", "body"]);
  expect(searchParams.get("body")).toBe(reply?.text.replaceAll("\n", "\r\n"));
  expect(reply?.text).toContain(name);
  expect(reply?.text).toContain(replyWords.noCompany);
});

test("a link that mail programs would not open goes without its text, which can still be copied", () => {
  const [reply] = repliesTo(contact({ name: "🦩".repeat(lengthMax.name) }));
  expect(reply?.href).toMatch(/^mailto:ada@example\.com\?subject=[^&]+$/);
  expect(reply?.text).toContain("🦩");
});
