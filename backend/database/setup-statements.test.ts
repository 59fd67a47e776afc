import { expect, test } from "vitest";
import { StartError } from "#process/start-error";
import { scramVerifier } from "./caller-login.ts";
import { setupStatements } from "./setup-statements.ts";

test.each([
  ["the user's too long a name", "u".repeat(50), "site", /too long/],
  ["the database's too long a name", "site", "ö".repeat(32), /too long/],
  ["a user whose name ends the quoted block", "x$setup$; create role evil superuser; --", "site", /may not contain/],
  ["a database whose name ends the quoted block", "site", "x$setup$", /may not contain/],
  ["a role of visitors as the owner", "anon", "site", /policies do not bind an owner/],
  ["another site's login for requests as the owner", "fernway_authenticator", "site", /policies do not bind an owner/],
])("database-setup refuses %s", (_what, owner, database, sentence) => {
  expect(() => setupStatements({ owner, database, password: "p" })).toThrow(sentence);
  expect(() => setupStatements({ owner, database, password: "p" })).toThrow(StartError);
});

test("a password may be typed in either form of Unicode, as pg sends it", () => {
  expect(scramVerifier("site", "Zo\u0065\u0308 \ufb01sh")).toBe(scramVerifier("site", "Zo\u00eb fish"));
});
