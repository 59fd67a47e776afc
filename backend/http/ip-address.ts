import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The network that limits count as one sender: the /24 of an IPv4 address, the /48 of an IPv6 address. One customer of a
 * provider may have all of it (a /48 is 2^16 networks of size /64), so a limit per address would limit no attacker. Others
 * may share it, so a limit must leave room for them. A trusted proxy may send anything: text that is no address is
 * returned as it is, without brackets, port and zone.
 */
export function networkOf(ip: string): string {
  const bare = withoutPortAndZone(ip);
  const address = parseSender(bare);
  if (!address) return bare;
  if (address instanceof ipaddr.IPv4) return address.toString().replace(/\d+$/, "0/24");
  const groups = address.parts.slice(0, 3).map((group) => group.toString(16));
  return `${groups.join(":")}::/48`;
}

/** The address in its one standard form, without brackets, port and zone; undefined for text that is no address. */
export function canonicalAddress(ip: string): string | undefined {
  return parseAddress(withoutPortAndZone(ip))?.toString();
}

/** A translator gives each visitor with IPv4 an IPv6 address of its own (RFC 6052, RFC 8215). */
function parseSender(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const address = parseAddress(text);
  return address?.range() === "rfc6052" ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** The same ranges as in SQL, `private.sender_network()`. */
const localRanges: ReadonlySet<string> = new Set(
  "unspecified loopback private carrierGradeNat linkLocal uniqueLocal".split(" "),
);

/**
 * Whether an address tells apart who sends a request. A local or private address does not: a request from the public
 * internet that has one came through a proxy that does not name the client.
 */
export function identifiesSender(ip: string): boolean {
  const address = parseSender(withoutPortAndZone(ip));
  return address !== undefined && !localRanges.has(address.range());
}

/** Whether a host name of a URL can only mean this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || isLoopbackAddress(host.replace(/^\[(.*)\]$/, "$1"));
}

function isLoopbackAddress(text: string): boolean {
  return parseAddress(text)?.range() === "loopback";
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Whether an IP address is on the public internet: not loopback, not a local network, not the link-local
 * 169.254.169.254 where clouds hand out credentials, no tunnel (6to4, Teredo), nothing reserved. Text that is no
 * address is not public.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  if (address instanceof ipaddr.IPv4) return address.range() === "unicast";
  // NAT64 (RFC 6052) leads to the IPv4 address in the last four bytes.
  if (address.match(nat64)) return new ipaddr.IPv4(address.toByteArray().slice(12)).range() === "unicast";
  // No IPv6 address outside of 2000::/3 is public, even where the library calls it `unicast`.
  return address.match(globalUnicast) && address.range() === "unicast";
}

/**
 * Whether `text` is an IP address or a network such as 10.0.0.0/8. Refuses the network of all addresses (`/0`) and
 * addresses with a zone (`%eth0`).
 */
export function isAddressOrNetwork(text: string): boolean {
  if (/%|\/0+$/.test(text)) return false;
  return isIP(text) !== 0 || ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

/** Some proxies name the port as well: 192.0.2.1:51234, [2001:db8::1]:51234. */
function withoutPortAndZone(ip: string): string {
  const withoutPort = ip.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
  return withoutPort.replace(/%.*$/, "");
}

/** An IPv4-mapped address (::ffff:192.0.2.1, an IPv4 client of a server that listens on IPv6) is read as IPv4. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // The library alone would also read 127.1 and 0x7f000001, and take the deprecated ::192.0.2.1 (RFC 4291) for an
  // IPv4-mapped address.
  if (isIP(text) === 0) return undefined;
  return ipaddr.process(text.replace(/%.*$/, "").replace(/^::(?=\d+\.)/, "::0:"));
}
