// The SQL of the database repeats messages of the form. These tests compare the two, as long as an owner has not changed the
// words, and specification.test.ts compares the form's messages with the specification.
import { expect, test } from "vitest";
import { contactMessages } from "#content/messages";
import { exampleText } from "#tests/support/example";
import { tooSoon } from "#validation/contact";
import { createDatabase, visitor } from "../support/database.ts";

const database = await createDatabase();

const ada = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };

test.each([
  ["an empty name", { name: " '' " }, contactMessages.noName],
  ["an email address without @", { email: "ada" }, contactMessages.noEmail],
  ["an unknown interest", { interest: "money" }, contactMessages.noInterest],
])("the database refuses %s with the message of the contact form, and names the field", async (_, wrong, message) => {
  const [detail] = Object.keys(wrong);
  await expect(insert({ ...ada, ...wrong })).rejects.toMatchObject({
    code: "23514",
    message: exampleText(message),
    detail,
  });
});

test("the database refuses a second contact within 30 s with the message of the contact form", async () => {
  await insert(ada);
  await expect(insert({ ...ada, name: "Grace" })).rejects.toMatchObject({
    code: "PT429",
    detail: tooSoon,
    message: exampleText(contactMessages.tooFast),
  });
});

function insert({ name, company, email, interest }: typeof ada) {
  const sql = "insert into contacts (name, company, email, interest) values ($1, $2, $3, $4)";
  return database.as(visitor, (db) => db.query(sql, [name, company, email, interest]));
}
