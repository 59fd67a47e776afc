import { expect, test } from "vitest";
import { formatShortly, formatTime, mailAddress, timeOfDay } from "./contact-text";

test.each([
  ["today", new Date(2026, 10, 25, 15, 22), formatTime(new Date(2026, 10, 25, 15, 22), timeOfDay)],
  ["in the last week", new Date(2026, 10, 23, 23, 59), written(new Date(2026, 10, 23), { weekday: "short" })],
  [
    "in the last half year",
    new Date(2026, 10, 18, 9),
    written(new Date(2026, 10, 18), { day: "numeric", month: "short" }),
  ],
  ["before", new Date(2025, 10, 23), written(new Date(2025, 10, 23), { month: "short", year: "numeric" })],
])("a time %s is said as people say it", (_when, time, words) => {
  expect(formatShortly(time, new Date(2026, 10, 25, 18))).toBe(words);
});

/** As this machine writes it. */
function written(day: Date, format: Intl.DateTimeFormatOptions): string {
  return day.toLocaleDateString(undefined, format);
}

test.each([
  ["ada+x@example.com", "mailto:ada%2Bx@example.com"],
  ["école@münchen.example", "mailto:%C3%A9cole@xn--mnchen-3ya.example"],
  ["ada@127.1", "mailto:ada@127.1"],
  ["ada@%65vil.example", "mailto:ada@%2565vil.example"],
  ["ada@evil.example/ü", "mailto:ada@evil.example%2F%C3%BC"],
  ["ada@mün chen.example", "mailto:ada@m%C3%BCn%20chen.example"],
])("a link to %s has the domain as every mail program reads it", (email, link) => {
  expect(mailAddress(email)).toBe(link);
});
