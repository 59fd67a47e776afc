import { refusals } from "./refusals.ts";

const charactersMax = 255;

/** The form that browsers accept in an e-mail field (WHATWG HTML), which is upstream's as well. */
const shape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The address as accounts store it; throws for an invalid one (docs/protocol.md#email-addresses). */
export function readEmailAddress(input: string): string {
  const address = plainEmailAddress(input);
  if (address.length > charactersMax) throw refusals.longAddress();
  if (!shape.test(address)) throw refusals.badAddress();
  return address;
}

/** For the lookup of an account, where an invalid address is simply not found. */
export function plainEmailAddress(input: string): string {
  return input.trim().toLowerCase();
}
