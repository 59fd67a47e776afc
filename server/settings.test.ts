import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

test.each([
  ["TRUST_PROXY", "loopback", ["loopback"]],
  ["TRUST_PROXY", "10.0.0.0/8, 2001:db8::/32,192.0.2.1", ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"]],
  ["TRUST_PROXY", "", []],
  [
    "AUTH_REDIRECT_URLS",
    "https://*.example.org/**, http://localhost:*",
    ["https://*.example.org/**", "http://localhost:*"],
  ],
])("%s reads %j", (name, value, read) => {
  const { trustProxy, redirectUrls } = readSettings({ [name]: value });
  expect(name === "TRUST_PROXY" ? trustProxy : redirectUrls).toEqual(read);
});

test.each([
  ["TRUST_PROXY", "everybody"],
  ["TRUST_PROXY", "true"],
  ["TRUST_PROXY", "10.0.0.0/33"],
  ["TRUST_PROXY", "10.0.0.0/8/8"],
  ["AUTH_REDIRECT_URLS", "*"],
  ["AUTH_REDIRECT_URLS", "app.example"],
  ["AUTH_REDIRECT_URLS", "javascript:**"],
  ["AUTH_REDIRECT_URLS", "https://user@app.example/"],
  ["AUTH_SIGNUP", "maybe"],
  ["AUTH_LIMITS", "false"],
])("%s refuses %j by its name", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(name);
});
