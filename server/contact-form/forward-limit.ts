import { identifiesSender, networkOf } from "#backend/http/ip-address";

/**
 * A hosted project sees one internet address for all contacts that this server forwards, and files more than 30 an hour
 * as spam (docs/specification.md#excess-of-contacts). A visitor who reads another way to write is better served than by
 * a contact that nobody looks at. One network gets a third, so that it cannot take all.
 */
export const forwardedPerHour = { inAll: 30, perNetwork: 10 };

/** A minute longer than an hour, because the project counts from a later moment: when it has stored the contact. */
const windowMilliseconds = 61 * 60 * 1000;

/**
 * Returns what counts a contact: it returns a function that takes the contact back, or undefined if the limit is reached.
 * Call it before the project is asked, so that contacts under way count too.
 */
export function forwardLimit(now: () => number = () => performance.now()) {
  /** The contacts of the last hour. The limit itself bounds their number. */
  const taken = new Set<{ network: string | undefined; at: number }>();

  return (ip: string): (() => void) | undefined => {
    const at = now();
    for (const each of taken) if (each.at <= at - windowMilliseconds) taken.delete(each);
    // A private address is a proxy that TRUST_PROXY does not name, and all visitors behind it would be one network.
    const network = identifiesSender(ip) ? networkOf(ip) : undefined;
    const ofNetwork = [...taken].filter((each) => network !== undefined && each.network === network);
    if (taken.size >= forwardedPerHour.inAll || ofNetwork.length >= forwardedPerHour.perNetwork) return undefined;

    const contact = { network, at };
    taken.add(contact);
    return () => taken.delete(contact);
  };
}
