import { identifiesSender, wideNetworkOf } from "#server/http/ip-address";

/**
 * A hosted project sees one internet address for all contacts that this server forwards, and files more than 30 an hour
 * as spam (docs/specification.md#excess-of-contacts). A visitor who reads another way to write is better served than by
 * a contact that nobody looks at. One network gets a third, so that it cannot take all.
 */
export const forwardedPerHour = { inAll: 30, perNetwork: 10 };

/** A minute longer than an hour, because the project counts from a later moment: when it has stored the contact. */
const windowMilliseconds = 61 * 60 * 1000;

/** The contacts of the last hour. It holds as many entries as the limit at most, so it needs no other bound. */
export class ForwardLimit {
  #taken: readonly { network: string | undefined; at: number }[] = [];
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Counts a contact and returns a function that takes it back; undefined if the limit is reached. It is called before the
   * project is asked, so the limit is also that of contacts under way at once.
   */
  take(ip: string): (() => void) | undefined {
    const at = this.#now();
    this.#taken = this.#taken.filter((each) => each.at > at - windowMilliseconds);
    // A private address is a proxy that TRUST_PROXY does not name, and all visitors behind it would be one network.
    const network = identifiesSender(ip) ? wideNetworkOf(ip) : undefined;
    const ofNetwork = network === undefined ? [] : this.#taken.filter((each) => each.network === network);
    if (this.#taken.length >= forwardedPerHour.inAll || ofNetwork.length >= forwardedPerHour.perNetwork)
      return undefined;

    const taken = { network, at };
    this.#taken = [...this.#taken, taken];
    return () => {
      this.#taken = this.#taken.filter((each) => each !== taken);
    };
  }
}
