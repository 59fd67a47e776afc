import { refusals } from "./refusals.ts";

const charactersMax = 255;

/** The form that browsers accept in an e-mail field (WHATWG HTML), which is upstream's as well. */
const shape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The address as accounts keep it; throws for what cannot be one (protocol section 2.2). */
export function readEmailAddress(typed: string): string {
  const address = plainEmailAddress(typed);
  if (address.length > charactersMax) throw refusals.longAddress();
  if (!shape.test(address)) throw refusals.badAddress();
  return address;
}

/** For looking an account up: what has no such shape will not be found either. */
export function plainEmailAddress(typed: string): string {
  return typed.trim().toLowerCase();
}
