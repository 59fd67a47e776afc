import { isPlainEmail } from "#validation/email-address";
import { refusals } from "./refusals.ts";

const charactersMax = 255;

/** The address as accounts store it. Throws if it is invalid (docs/protocol.md#email-addresses). */
export function requireEmail(input: string): string {
  const address = normalizeEmail(input);
  if (address.length > charactersMax) throw refusals.longAddress();
  if (!isPlainEmail(address)) throw refusals.badAddress();
  return address;
}

/** Enough to look up an account: an invalid address is simply not found. */
export function normalizeEmail(input: string): string {
  return input.trim().toLowerCase();
}
