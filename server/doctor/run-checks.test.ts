import { expect, test } from "vitest";
import { broken, look, ok } from "./finding.ts";
import { describeDisk } from "./machine-checks.ts";
import { type Check, runChecks } from "./run-checks.ts";

test("checks run side by side, and one that hangs or fails becomes a finding among those of the others", async () => {
  const checks: Check[] = [
    { group: "mail", run: () => new Promise(() => {}) },
    { group: "address", run: async () => Promise.reject(new Error("No such owl")) },
    { group: "door", run: async () => [ok("Closed.")] },
  ];
  const waits: string[] = [];
  const results = await runChecks(checks, { milliseconds: 50, waitsFor: (groups) => waits.push(groups.join()) });
  expect(results).toEqual([
    { group: "mail", ...broken("The checks of “mail” had no answer within 0.05 seconds.", "Run the doctor again.") },
    {
      group: "address",
      ...broken("The checks of “address” ended with an error: No such owl.", "Run the doctor again."),
    },
    { group: "door", ...ok("Closed.") },
  ]);
  expect([waits[0], waits.at(-2), waits.at(-1)]).toEqual(["door,mail,address", "mail", ""]);
});

test("a disk that is nearly full is to be looked at, and one that is full is broken", () => {
  const levelOf = (free: number) => describeDisk({ names: ["DATA_DIR"], free }).level;
  expect([levelOf(50_000), levelOf(900), levelOf(100)]).toEqual(["ok", "look", "BROKEN"]);
  expect(describeDisk({ names: ["DATA_DIR"], free: 900 })).toEqual(
    look("The disk of DATA_DIR has only 900 MB left.", "Make room: when it is full, contacts are refused."),
  );
});
