import { expect, test } from "vitest";
import { compareRetention } from "./content-checks.ts";
import { findingsOf } from "./finding.ts";

const hosted = { hostedUrl: "https://project.supabase.test" };

test("a policy with other numbers than the documented cron job of a hosted project is told", () => {
  const shipped = { contactMonths: 24, spamDays: 30 };
  expect(findingsOf(...compareRetention({ ...hosted, ...shipped }, shipped))).toEqual([]);
  const changed = { contactMonths: 12, spamDays: 30 };
  const todo = expect.stringContaining("remove_expired_contacts(12, 30)");
  expect(findingsOf(...compareRetention({ ...hosted, ...changed }, changed))).toMatchObject([{ level: "look", todo }]);
  expect(findingsOf(...compareRetention({ hostedUrl: undefined, ...changed }, changed))).toEqual([]);
});
