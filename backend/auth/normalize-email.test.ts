import { expect, test } from "vitest";
import { normalizeEmail, requireEmail } from "./normalize-email.ts";

test.each([
  [" Ada@Example.COM\n", "ada@example.com"],
  ["\u200b\u202aada@example.com\u202c\u00ad", "ada@example.com"],
  ["ada@münchen.example", "ada@xn--mnchen-3ya.example"],
  ["ADA@MU\u0308NCHEN.example", "ada@xn--mnchen-3ya.example"],
  ["ada@paral·lel.cat", "ada@xn--parallel-koa.cat"],
  ["ada@コーヒー・紅茶.jp", "ada@xn--tck2c2fcb5097i9bj.jp"],
  ["ada@€.com", "ada@xn--lzg.com"],
  ["ada@127.1", "ada@127.1"],
  ["ada@XN--MNCHEN-3YA.example", "ada@xn--mnchen-3ya.example"],
])("an account with the address %j has the address %j", (typed, stored) => {
  expect(requireEmail(typed)).toBe(stored);
});

test.each([
  "ada\u200b@example.com",
  "ada@exam\u00adple.com",
  "ada@mün\u200bchen.example",
  "ada@mün chen.example",
  "ada@㏇.com",
  "a@%65xämple.com",
])("an account cannot have the address %j, nor that of the person without the character", (typed) => {
  expect(normalizeEmail(typed)).toBe(typed);
  expect(() => requireEmail(typed)).toThrow();
});
