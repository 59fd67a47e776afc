import { beforeEach, expect, test } from "vitest";
import { forwardedPerHour, forwardLimit } from "./forward-limit.ts";

const minute = 60 * 1000;
let now: number;
let take: ReturnType<typeof forwardLimit>;
beforeEach(() => {
  now = 0;
  take = forwardLimit(() => now);
});

/** Whether each of `count` contacts may be forwarded; `ipOf` names the address of each. */
function takeMany(count: number, ipOf: (n: number) => string): boolean[] {
  return Array.from({ length: count }, (_, n) => take(ipOf(n)) !== undefined);
}
const isTrue = (taken: boolean) => taken;

test("within any hour at most 30 contacts are forwarded, as the project would file the 31st as spam", () => {
  const differentNetworks = (n: number) => `81.2.${n}.7`;
  expect(forwardedPerHour.inAll).toBe(30);
  // The last ten minutes of one hour and the first of the next are also within one hour.
  now = 50 * minute;
  expect(takeMany(20, differentNetworks).every(isTrue)).toBe(true);
  now = 70 * minute;
  expect(takeMany(20, differentNetworks).filter(isTrue)).toHaveLength(10);
  now = 112 * minute;
  expect(takeMany(30, differentNetworks).filter(isTrue)).toHaveLength(20);
});

test.each([
  ["one IPv4 /24", (n: number) => `81.2.69.${n}`],
  ["one IPv6 /48", (n: number) => `2a02:1:1:${n.toString(16)}::7`],
])("%s gets a third of the contacts of an hour, and another network the rest", (_, ipOf) => {
  expect(takeMany(15, ipOf).filter(isTrue)).toHaveLength(10);
  expect(takeMany(10, () => "81.2.70.7").every(isTrue)).toBe(true);
});

test("visitors behind a proxy that TRUST_PROXY does not name are not taken for one network", () => {
  expect(takeMany(31, () => "127.0.0.1").filter(isTrue)).toHaveLength(30);
});
