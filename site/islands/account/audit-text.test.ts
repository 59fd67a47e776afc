import { expect, test } from "vitest";
import { accountWords, auditDetails, auditWords, placeWords } from "#content/account";
import { describeEntry, locationOf, personOf, timeOf, timeSince } from "./audit-text";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["172.32.0.1", "172.32.0.1"],
  ["127.0.0.1", placeWords.sameMachine],
  ["::1", placeWords.sameMachine],
  ["172.31.255.1", placeWords.localNetwork("172.31.255.1")],
  ["fd12:3456::1", placeWords.localNetwork("fd12:3456::1")],
  ["", placeWords.unknown],
])("the IP address %j is described as %s", (address, location) => {
  expect(locationOf(address)).toBe(location);
});

test("an audit entry shows an account, and a sentence or the name of an unknown action", () => {
  const entry = (action: string, ip_address: string, actor_username: string, traits?: Record<string, unknown>) => ({
    id: "1",
    created_at: "2026-11-21T05:00:00Z",
    ip_address,
    payload: { action, actor_username, ...(traits && { traits }) },
  });
  const sentences = [
    entry("login_failed", "203.0.113.7", "", { reason: "invalid_credentials" }),
    entry("logout", "203.0.113.7", "ada@example.com", { scope: "global" }),
    entry("role_granted", "", "postgres", { user_email: "bea@example.com", role: "admin" }),
    entry("some_later_kind", "", "ada@example.com"),
  ].map((each) => `${describeEntry(each)}: ${personOf(each)}`);
  const { from, nobody } = accountWords.audit;
  expect(sentences).toEqual([
    `${from(auditWords.login_failed ?? "", "203.0.113.7")}: ${nobody}`,
    `${from(auditDetails["logout scope global"] ?? "", "203.0.113.7")}: ada@example.com`,
    `${auditWords.role_granted}: bea@example.com`,
    "some later kind: ada@example.com",
  ]);
});

test("an entry that stands for many attempts shows how many, from where, and from when to when", () => {
  const attempts = (ip_address: string, addresses: number, actor_username = "ada@example.com") => ({
    id: "1",
    created_at: "2026-11-21T05:00:00Z",
    ip_address,
    payload: {
      action: "login_failed",
      actor_username,
      repeats: { times: 12, addresses, since: "2026-11-19T05:00:00Z" },
    },
  });
  const { repeated, from, fromMany, nobodies } = accountWords.audit;
  const twelve = repeated(auditWords.login_failed ?? "", 12);
  expect(describeEntry(attempts("", 3))).toBe(fromMany(twelve, 3));
  expect(describeEntry(attempts("203.0.113.7", 1))).toBe(from(twelve, "203.0.113.7"));
  expect(describeEntry(attempts("", 0))).toBe(twelve);
  expect([personOf(attempts("", 3)), personOf(attempts("", 3, ""))]).toEqual(["ada@example.com", nobodies]);
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  expect(timeOf(attempts("", 3))).toBe(
    format.formatRange(new Date("2026-11-19T05:00:00Z"), new Date("2026-11-21T05:00:00Z")),
  );
});

test("a past time is shown in the largest unit that fits, or as a date after a month", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const times = ["2026-11-21T11:59:40Z", "2026-11-21T11:57:00Z", "2026-11-21T09:01:00Z", "2026-11-19T12:00:00Z"];
  const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
  expect(times.map((time) => timeSince(time, now))).toEqual([
    relative.format(0, "minute"),
    relative.format(-3, "minute"),
    relative.format(-2, "hour"),
    relative.format(-2, "day"),
  ]);
  expect(timeSince("2026-09-01T12:00:00Z", now)).toContain("2026");
});
