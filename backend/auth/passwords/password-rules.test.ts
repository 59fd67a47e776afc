import { expect, test } from "vitest";
import { checkNewPassword } from "./password-rules.ts";

const email = "ada.heron@fernway-owl.example";
const check = (password: string, charactersMin = 8) => checkNewPassword(password, { email, charactersMin });

const accepted = [
  "correct horse",
  "a long walk in the woods",
  "Ada.heron2",
  "ääääöööö3",
  "äöü".repeat(12),
  "123456790",
];

test.each(accepted)("%j is accepted as a new password", async (password) => {
  await expect(check(password)).resolves.toBeUndefined();
});

test.each([
  ["seven77", "length", "Password should be at least 8 characters."],
  // These are seven characters to a person, but fourteen UTF-16 units to JavaScript.
  ["🦉🦔🐾🌿🍄🌲🪵", "length", "Password should be at least 8 characters."],
  ["password1", "pwned", /^This is one of the most commonly leaked passwords\. Please choose another: /],
  ["PassWord1", "pwned", /most common/],
  ["iloveyou", "pwned", /most common/],
  ["aaaaaaaaaaaa", "pwned", /most common/],
  ["xyxyxyxyxyxy", "pwned", /most common/],
  ["bcdefghijk", "pwned", /most common/],
  ["9876543210", "pwned", /most common/],
  ["Ada.Heron", "pwned", /your email address/],
  ["ada.heron@fernway-owl.example", "pwned", /your email address/],
  ["fernway-owl.example", "pwned", /your email address/],
] as const)("%j is refused as a weak password, and the error names the reason", async (password, details, message) => {
  await expect(check(password)).rejects.toMatchObject({
    status: 422,
    code: "weak_password",
    details,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });
});

test.each([
  ["", "Signup requires a valid password"],
  ["ä".repeat(37), "Password cannot be longer than 72 characters"],
])("%j is refused as an invalid password", async (password, message) => {
  await expect(check(password)).rejects.toMatchObject({ status: 400, code: "validation_failed", message });
});

test("PASSWORD_MIN changes the minimum password length; common passwords remain refused", async () => {
  await expect(check("correct horse", 14)).rejects.toMatchObject({
    message: "Password should be at least 14 characters.",
  });
  await expect(check("kiwi/9", 6)).resolves.toBeUndefined();
  await expect(check("dragon", 6)).rejects.toMatchObject({ details: "pwned" });
});
