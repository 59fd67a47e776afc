import { expect, test } from "vitest";
import { limits } from "#backend/limits/limits";
import { accountMails } from "#content/account-mails";
import * as authTexts from "#content/auth";
import { readSettings } from "#server/settings";
import { isExample } from "#tests/support/example";
import { passwordCharacters } from "../passwords/password-rules.ts";
import { refusals } from "../refusals.ts";
import { codeHours, mailedTokens } from "../tokens/one-time-tokens.ts";

const exampleTest = test.runIf(isExample);

/** The texts write durations as words. If a lifetime changes in the code, add its words here and change the texts. */
const durations = new Map([
  [1, "one hour"],
  [24, "one day"],
]);
const numbers = ["no", "one", "two", "three", "four", "five", "six"];
const codeLifetime = `valid for ${durations.get(codeHours)}`;

exampleTest.each([
  ["confirm-address", "confirmation"],
  ["recover", "recovery"],
  ["choose-password", "recovery"],
  ["invite", "invite"],
  ["change-email", "email_change_current"],
  ["change-email", "email_change_new"],
] as const)("the %s mail states the real lifetimes of its link and code", (kind, purpose) => {
  const text = JSON.stringify(accountMails[kind]);
  expect(text).toContain(`The link works once and is valid for ${durations.get(mailedTokens[purpose].linkHours)}.`);
  expect(text).toContain(codeLifetime);
});

exampleTest("the sign-in texts state the real code lifetime, code attempts and password length", () => {
  const text = JSON.stringify(authTexts);
  expect(text).toContain(codeLifetime);
  expect(text).toContain(`After ${numbers[limits["tries of one code"].atOnce]} wrong tries, this code no longer works`);
  expect(authTexts.passwordWords.hint()).toContain(`At least ${passwordCharacters.default} characters`);
});

exampleTest.each([
  [1, "1 second"],
  [90, "90 seconds"],
  [91, "2 minutes"],
  [60 * 60, "60 minutes"],
  [90 * 60 + 1, "2 hours"],
])("a rate limit of %i seconds is told in words, which the pages repeat", (seconds, words) => {
  const { code, message } = refusals.rateLimited(seconds);
  expect(message).toBe(`Request rate limit reached. Please try again in ${words}.`);
  expect(authTexts.refusalWords(code, message)).toBe(`Too many attempts. Please try again in ${words}.`);
  expect(authTexts.refusalWords(code, "Request rate limit reached")).toContain("wait a few minutes");
});

exampleTest.each([
  [1, "1 second"],
  [43, "43 seconds"],
])("a pause of %i seconds between two mails is told in words", (seconds, words) => {
  const { code, message } = refusals.mailCooldown(seconds);
  expect(authTexts.refusalWords(code, message)).toBe(`That was too soon. Please try again in ${words}.`);
});

test("the setting PASSWORD_MIN has the default value and the minimum that password-rules.ts defines", () => {
  const read = (characters: number) => readSettings({ PASSWORD_MIN: `${characters}` }).passwordCharactersMin;
  expect(readSettings({}).passwordCharactersMin).toBe(passwordCharacters.default);
  expect(read(passwordCharacters.min)).toBe(passwordCharacters.min);
  expect(() => read(passwordCharacters.min - 1)).toThrow("PASSWORD_MIN");
});
