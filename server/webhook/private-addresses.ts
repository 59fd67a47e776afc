import type { LookupAddress, LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "#backend/http/ip-address";

/** For a host on this machine or its network, while WEBHOOK_ALLOW_PRIVATE is off. Its words follow the name of the host. */
export class PrivateAddressError extends Error {
  constructor(host: string, address: string) {
    const place = host === address ? "is a private address" : `leads to the private address ${address}`;
    super(`${place}, which the webhook may call only while WEBHOOK_ALLOW_PRIVATE is on`);
  }
}

type Lookup = (
  name: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Returns a DNS lookup for sockets. It refuses a name if any of the name's addresses is private. The socket connects to
 * exactly the addresses that were checked, so DNS rebinding (a second answer that differs from the first) gains
 * nothing.
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
