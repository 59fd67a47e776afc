import { expect, test } from "vitest";
import { look } from "./finding.ts";
import { describeDisk } from "./machine-checks.ts";

test("a disk that is nearly full is to be looked at, and one that is full is broken", () => {
  const levelOf = (free: number) => describeDisk({ names: ["DATA_DIR"], free }).level;
  expect([levelOf(50_000), levelOf(900), levelOf(100)]).toEqual(["ok", "look", "BROKEN"]);
  expect(describeDisk({ names: ["DATA_DIR"], free: 900 })).toEqual(
    look("The disk of DATA_DIR has only 900 MB left.", "Make room: when it is full, contacts are refused."),
  );
});
