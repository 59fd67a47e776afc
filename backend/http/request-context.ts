import type { FastifyRequest } from "fastify";
import { canonicalAddress } from "./ip-address.ts";

/**
 * These headers are not passed to SQL. A function that stores all headers must not store a token. And SQL reads the
 * sender's address from the last two, into which a caller may write any address.
 */
const headersNotPassed = new Set(["authorization", "apikey", "cookie", "x-forwarded-for", "cf-connecting-ip"]);

/**
 * What SQL learns of a request (docs/protocol.md#transaction-settings): header names are in lower case. SQL gets the address
 * that Fastify's `trustProxy` accepts, and no address if that one cannot be read. It gets the id of the request, which the
 * log names, in place of one that the caller may have sent.
 */
export function requestContextOf(
  { method, headers, ip, id }: Pick<FastifyRequest, "method" | "headers" | "ip" | "id">,
  path: string,
) {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !headersNotPassed.has(name)) passed[name] = String(value);
  }
  const address = canonicalAddress(ip);
  if (address !== undefined) passed["x-forwarded-for"] = address;
  passed["x-request-id"] = id;
  return { method, path, headers: passed };
}
