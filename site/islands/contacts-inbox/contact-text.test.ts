import { expect, test } from "vitest";
import { formatShortly, formatTime, timeOfDay } from "./contact-text";

test.each([
  ["today", new Date(2026, 10, 25, 15, 22), formatTime(new Date(2026, 10, 25, 15, 22), timeOfDay)],
  ["in the last week", new Date(2026, 10, 23, 23, 59), "Mon"],
  ["in the last half year", new Date(2026, 10, 18, 9), "Nov 18"],
  ["before", new Date(2025, 10, 23), "Nov 2025"],
])("a time %s is said as people say it", (_when, time, words) => {
  expect(formatShortly(time, new Date(2026, 10, 25, 18))).toBe(words);
});
