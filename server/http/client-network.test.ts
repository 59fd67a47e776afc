import { expect, test } from "vitest";
import { networkOf } from "./client-network.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::ffff:c000:207", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1::", "1:0:0:0::/64"],
  ["192.0.2.7:51234", "192.0.2.7"],
  ["[2001:db8::1]:51234", "2001:db8:0:0::/64"],
  ["unknown", "unknown"],
  ["", ""],
])("%j belongs to the network %j", (ip, network) => expect(networkOf(ip)).toBe(network));

test("a wider network is a shorter beginning", () => {
  expect(networkOf("2001:db8:1:2::1", 48)).toBe("2001:db8:1::/48");
  expect(networkOf("192.0.2.7", 48)).toBe("192.0.2.7");
});
