import type { LookupAddress, LookupOptions } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";

/**
 * IPv4 addresses that are not on the public internet: the special-purpose registry of IANA (RFC 6890), which holds
 * loopback, RFC 1918, CGNAT and the link-local 169.254.169.254 where clouds hand out credentials, and what is above 224.
 */
const specialIpv4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const;

/** Of IPv6 only this is handed out to the public; everything else is something special, now or later. */
const publicIpv6 = new BlockList();
publicIpv6.addSubnet("2000::", 3, "ipv6");

/** Ways to write an IPv4 address in an IPv6 one that lead to it: mapped, and through NAT64 (RFC 6052). */
const ipv4Inside = new BlockList();
ipv4Inside.addSubnet("::ffff:0:0", 96, "ipv6");
ipv4Inside.addSubnet("64:ff9b::", 96, "ipv6");

const special = new BlockList();
for (const [address, bits] of specialIpv4) {
  special.addSubnet(address, bits, "ipv4");
  special.addSubnet(`::ffff:${address}`, 96 + bits, "ipv6");
  special.addSubnet(`64:ff9b::${address}`, 96 + bits, "ipv6");
}
// Protocol assignments with the Teredo tunnels, documentation twice, and 6to4, which leads to IPv4 addresses.
for (const [address, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["3fff::", 20],
  ["2002::", 16],
] as const) {
  special.addSubnet(address, bits, "ipv6");
}

/** Whether an IP address leads out of this house; what is no address does not. */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address)) return false;
  if (!isIPv6(address)) return !special.check(address, "ipv4");

  const isReachable = publicIpv6.check(address, "ipv6") || ipv4Inside.check(address, "ipv6");
  return isReachable && !special.check(address, "ipv6");
}

/** Where a webhook may not lead. */
export class PrivateAddressError extends Error {
  constructor(host: string, address: string) {
    const what = host === address ? `${host} is a private address` : `${host} leads to the private address ${address}`;
    super(`${what}, which the webhook may call only while WEBHOOK_ALLOW_PRIVATE is on.`);
  }
}

type Lookup = (
  name: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * For a socket: looks a name up once and hands over the very addresses that were checked, so that a name which changes
 * its mind in between (DNS rebinding) gains nothing. One private address among them is enough to refuse.
 */
export function publicOnly(lookup: Lookup): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const refused = addresses.find(({ address }) => !isPublicAddress(address));
      if (refused) return done(new PrivateAddressError(name, refused.address), []);
      if (options.all) return done(null, addresses);
      return done(null, addresses[0]?.address ?? "", addresses[0]?.family);
    });
}
