import { expect, test } from "vitest";
import { type Check, runChecks } from "./checks.ts";
import { broken, ok } from "./finding.ts";

test("checks run side by side, and one that hangs or fails becomes a finding among those of the others", async () => {
  const checks: Check[] = [
    { group: "mail", run: () => new Promise(() => {}) },
    { group: "address", run: async () => Promise.reject(new Error("No such owl")) },
    { group: "access", run: async () => [ok("Closed.")] },
  ];
  expect(await runChecks(checks, 50)).toEqual([
    { group: "mail", ...broken("The checks of “mail” had no answer within 0.05 seconds.", "Run the doctor again.") },
    {
      group: "address",
      ...broken("The checks of “address” ended with an error: No such owl", "Run the doctor again."),
    },
    { group: "access", ...ok("Closed.") },
  ]);
});
