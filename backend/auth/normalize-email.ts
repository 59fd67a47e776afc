import { domainToASCII } from "node:url";
import { cleanEmail, isContactEmail } from "#validation/contact";
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

/** A domain that may have an ASCII form of its own (RFC 5890). Of ASCII, `domainToASCII` would decode a `%` and the like. */
const inLetters = /^(?=.*\P{ASCII})[a-z0-9.\-\P{ASCII}]+$/u;

/** Enough to look up an account: an invalid address is simply not found. Nothing invisible may get lost in a domain. */
export function normalizeEmail(input: string): string {
  const address = cleanEmail(input);
  const [local, domain = ""] = address.split("@");
  return inLetters.test(domain) && isContactEmail(address) ? `${local}@${domainToASCII(domain) || domain}` : address;
}
