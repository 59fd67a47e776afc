import { expect, test } from "vitest";
import { lengthMax } from "./contact.ts";
import { prepareMail } from "./prepared-mail.ts";

const words = {
  to: "hello+site@example.com",
  subject: ({ name }: { name: string }) => `From ${name}`,
  lines: ({ name, company, email, interest }: Record<"name" | "company" | "email" | "interest", string>) => [
    name,
    company,
    email,
    interest,
  ],
};
const fields = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "Consulting" };

test("a prepared mail has what was typed, and no character of it ends or changes the link", () => {
  const name = "Zoë “Ö” O'Heron & Söhne = 50%? #1";
  const { href, text } = prepareMail({ ...fields, name }, words);
  expect(text).toBe(`${name}\nEngines\nada@example.com\nConsulting`);
  expect(href).toMatch(/^mailto:hello%2Bsite@example\.com\?subject=[^?&#\s]+&body=[^?&#\s]+$/);
  const { searchParams } = new URL(href);
  expect([...searchParams]).toEqual([
    ["subject", `From ${name}`],
    ["body", text.replaceAll("\n", "\r\n")],
  ]);
});

test.each([
  ["a line break, which would add a line that nobody typed", " Ada\r\nEmail:\u2028 x\0 ", "Ada Email: x"],
  ["half of a character, which no link may have", "Ada \ud800", "Ada �"],
  ["more than fits", "🦩".repeat(lengthMax.name + 1), "🦩".repeat(lengthMax.name)],
])("a prepared mail is made of %s", (_, name, kept) => {
  const { href, text } = prepareMail({ ...fields, name }, words);
  expect(text.split("\n")).toEqual([kept, "Engines", "ada@example.com", "Consulting"]);
  expect(new URL(href).searchParams.get("subject")).toBe(`From ${kept}`);
});

test("each text of a prepared mail has its own limit", () => {
  const long = "x".repeat(2000);
  const { text } = prepareMail({ name: long, company: long, email: long, interest: "Consulting" }, words);
  const { name, company, email } = lengthMax;
  expect(text.split("\n").map(({ length }) => length)).toEqual([name, company, email, "Consulting".length]);
});
