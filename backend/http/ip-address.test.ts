import { expect, test } from "vitest";
import { fc } from "#tests/support/seeded-fast-check";
import { identifiesSender, isAddressOrNetwork, isLoopbackHost, isPublicAddress, networkOf } from "./ip-address.ts";

test.each([
  ["192.0.2.7", "192.0.2.0/24"],
  ["::ffff:192.0.2.7", "192.0.2.0/24"],
  ["::ffff:c000:207", "192.0.2.0/24"],
  ["64:ff9b::192.0.2.200", "192.0.2.0/24"],
  ["64:ff9b:1:ffff::c000:207", "192.0.2.0/24"],
  ["64:ff9b:2::192.0.2.7", "64:ff9b:2::/48"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["fe80::1%br-lan.100", "fe80:0:0::/48"],
  ["::192.0.2.7", "0:0:0::/48"],
  ["::1", "0:0:0::/48"],
  ["192.0.2.7:51234", "192.0.2.0/24"],
  ["[2001:db8::1]:51234", "2001:db8:0::/48"],
  ["unknown", "unknown"],
  ["", ""],
])("networkOf(%j) returns %j", (ip, network) => expect(networkOf(ip)).toBe(network));

test.each([
  ["64:ff9b::192.0.2.7 64:ff9b:1::192.0.2.7 ::ffff:192.0.2.7 192.0.2.7 2001:db8::1", true],
  ["64:ff9b::10.0.0.1 64:ff9b:1::127.0.0.1 ::ffff:10.0.0.1 10.0.0.1 fd00::1 unknown", false],
])("for each of %j, identifiesSender returns %j", (texts, expected) => {
  for (const text of texts.split(" ")) expect(identifiesSender(text), text).toBe(expected);
});

/**
 * Tells whether an IPv4 address is loopback, RFC 1918, CGNAT, link-local, multicast or the like. It uses no library, so
 * that the test does not compare the library with itself.
 */
function isSpecial([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  if (a === 100) return b >= 64 && b < 128;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 169) return b === 254;
  if (a === 198) return b === 18 || b === 19 || (b === 51 && c === 100);
  // AS112 and AMT relays (RFC 7535, RFC 7450).
  if (a === 192 && ["31.196", "52.193", "175.48"].includes(`${b}.${c}`)) return true;
  if (a === 192) return b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99);
  return a === 203 && b === 0 && c === 113;
}

/** A random byte that is often the first or last of an address range. */
const byte = fc.oneof(
  fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(
    ..."0 2 10 15 16 18 19 31 32 51 63 64 88 99 100 113 127 128 168 169 172 192 198 254".split(" ").map(Number),
  ),
);
const ipv4 = fc.tuple(byte, byte, byte, byte);

const inHexadecimal = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) =>
  `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;

test("isPublicAddress gives the same answer for every notation of an IPv4 address", () => {
  fc.assert(
    fc.property(ipv4, (bytes) => {
      const dotted = bytes.join(".");
      const isPublic = !isSpecial(bytes);
      for (const notation of [
        dotted,
        `::ffff:${dotted}`,
        `::FFFF:${inHexadecimal(bytes)}`,
        `0:0:0:0:0:ffff:${inHexadecimal(bytes)}`,
        `64:ff9b::${dotted}`,
        new URL(`http://[::ffff:${dotted}]`).hostname.slice(1, -1),
        new URL(`http://${bytes.reduce((sum, each) => sum * 256 + each, 0)}`).hostname,
      ]) {
        expect(isPublicAddress(notation), notation).toBe(isPublic);
      }
    }),
    { numRuns: 500 },
  );
});

test("isPublicAddress returns false for random IPv6 addresses outside of 2000::/3", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const first = groups[0] ?? 0;
      fc.pre(first < 0x2000 || first > 0x3fff);
      expect(isPublicAddress(groups.map((each) => each.toString(16)).join(":"))).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test.each(["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::1"])(
  "isPublicAddress returns true for %s",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ..."::1 :: fe80::1 fe80::1%eth0 fc00::1 fd12:3456::1 ff02::1 2001:db8::1 2002:7f00:1:: 2001:0:4136::1 3fff::1".split(
    " ",
  ),
  ...["::127.0.0.1", "::8.8.8.8", "64:ff9b:1::7f00:1", "100::1", "localhost", "127.1", "0x7f000001", "2130706433", ""],
])("isPublicAddress returns false for %j", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ["localhost site.localhost 127.0.0.1 127.8.9.10 [::1] ::1 [::ffff:127.0.0.1] ::ffff:7f00:1", true],
  ["localhost.evil.example 127.0.0.1.evil.example 10.0.0.1 [::2] ::127.0.0.1 127.1", false],
])("for each host in %j, isLoopbackHost returns %j", (hosts, expected) => {
  for (const host of hosts.split(" ")) expect(isLoopbackHost(host), host).toBe(expected);
});

test.each([
  ["10.0.0.0/8 192.0.2.1 2001:db8::/32 ::1", true],
  ["0.0.0.0/0 ::/0 fe80::1%eth0.100 10/8 10.0.0.0/33 010.0.0.0/8 10.0.0.0/8/8 10.0.0.0/ fe80::/129 loopback", false],
])("for each entry of %j, isAddressOrNetwork returns %j", (texts, expected) => {
  for (const text of texts.split(" ")) expect(isAddressOrNetwork(text), text).toBe(expected);
});
