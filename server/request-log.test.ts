import { expect, test } from "vitest";
import { loggablePath } from "./request-log.ts";

test.each([
  ["/", "/"],
  ["/_astro/contact-form.B3a8x_9Z.js?v=1", "/_astro/contact-form.B3a8x_9Z.js"],
  ["/rest/v1/contacts?email=eq.ada@example.com", "/rest/v1/contacts"],
  [
    "/auth/v1/factors/00000000-0000-4000-8000-000000000000/verify",
    "/auth/v1/factors/00000000-0000-4000-8000-000000000000/verify",
  ],
  ["/ada@example.com", "/…"],
  ["/ada%40example.com/contacts", "/…/contacts"],
  [`/auth/v1/verify/${"a1".repeat(28)}`, "/auth/v1/verify/…"],
  ["/rest/v1/%ff", "/rest/v1/…"],
  ["//a;email=ada", "//…"],
  ["*", "…"],
  ["", ""],
])("of the URL %s the log has %s", (url, path) => {
  expect(loggablePath(url)).toBe(path);
});
