import { isIP } from "node:net";

/**
 * The network that a request came from, as far as it belongs to one customer: an IPv4 address, or the first `bits` of an
 * IPv6 address. A home has at least 2^64 of those, so a limit on each would limit nobody. What is no address (a trusted
 * proxy may say anything) counts as itself.
 */
export function networkOf(ip: string, bits = 64): string {
  // Some proxies name the port as well: 192.0.2.1:51234, [2001:db8::1]:51234.
  const plain = ip.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
  const address = plain.replace(/%.*$/, "");
  if (isIP(address) !== 6) return address;

  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  // An IPv4 client of a server that listens on IPv6: ::ffff:192.0.2.1.
  if (groups.slice(0, 6).join() === "0,0,0,0,0,65535") return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const kept = groups.slice(0, bits / 16).map((group) => group.toString(16));
  return `${kept.join(":")}::/${bits}`;
}

/** The eight numbers of an IPv6 address, whichever way it is written: a URL knows only one way. */
function groupsOf(address: string): number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = written.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const between = new Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...between, ...after].map((group) => Number.parseInt(group, 16));
}
