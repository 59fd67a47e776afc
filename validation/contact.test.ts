import { expect, test } from "vitest";
import { fc } from "#tests/support/seeded-fast-check";
import cases from "../tests/fixtures/contact-cases.json" with { type: "json" };
import { cleanEmail, cleanText, isContactEmail, lengthMax, readContact } from "./contact.ts";

const ada = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };

test.each(cases)("cleaning a contact field: $why", ({ field, raw, clean }) => {
  const text = cleaned(field, raw);
  expect(field === "email" && !isContactEmail(text) ? null : text).toBe(clean);
});

test("cleaning a contact field twice gives the same text as cleaning the field once", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("name", "company", "email"),
      fc.string({ unit: "binary", maxLength: 400 }),
      (field, raw) => {
        expect(cleaned(field, cleaned(field, raw))).toBe(cleaned(field, raw));
      },
    ),
  );
});

test("cleanText replaces half a surrogate pair with U+FFFD", () => {
  expect(cleanText("a\ud83cb", lengthMax.name)).toBe("a\ufffdb");
});

test("readContact returns the contact with cleaned fields", () => {
  const contact = { ...ada, name: "Ada", email: "ada@example.com" };
  expect(readContact({ ...ada, name: " <Ada> ", email: "ADA@example.com" })).toEqual({ contact });
});

test.each([
  ["nothing but quotes and spaces as a name", { name: " '' " }, "noName"],
  ["a name of invisible characters", { name: "\u200b\u3164" }, "noName"],
  ["an empty company", { company: " " }, "noCompany"],
  ["a company of control characters", { company: "\x1b\x9b" }, "noCompany"],
  ["an email address without @", { email: "ada.example.com" }, "noEmail"],
  ["an email address with two @", { email: "ada@home@example.com" }, "noEmail"],
  ["an email address with white space inside", { email: "ada\u2003l@example.com" }, "noEmail"],
  ["an email address without a local part", { email: "@example.com" }, "noEmail"],
  ["an email address that is too long", { email: `${"a".repeat(160)}@example.com` }, "noEmail"],
  ["an email address with half a surrogate pair", { email: "ada\ud83c@example.com" }, "noEmail"],
  ["no interest", { interest: "" }, "noInterest"],
  ["an unknown interest", { interest: "Consulting" }, "noInterest"],
])("readContact returns a problem for %s", (_, wrong, problem) => {
  expect(readContact({ ...ada, ...wrong })).toEqual({ problem });
});

test("if several fields are wrong, readContact returns the problem of the first form field", () => {
  expect(readContact({ name: "", company: "", email: "", interest: "" })).toEqual({ problem: "noName" });
});

function cleaned(field: string, raw: string): string {
  return field === "email" ? cleanEmail(raw) : cleanText(raw, lengthMax[field as keyof typeof lengthMax]);
}
