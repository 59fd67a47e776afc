import { expect, test } from "vitest";
import { identifiesSender, isAddressOrNetwork, isLoopbackHost, networkOf } from "./ip-address.ts";

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
