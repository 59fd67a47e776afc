import type { IncomingHttpHeaders } from "node:http";

/**
 * The settings `request.*` of a transaction (docs/protocol.md#transaction-settings). Header names are in lower case.
 */
export interface RequestContext {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
}

/** The part of a Fastify request that SQL may read. */
interface HttpRequest {
  method: string;
  headers: IncomingHttpHeaders;
  ip: string;
}

/** These headers are not passed to SQL, because a function that stores all headers must not store a token. */
const credentialHeaders = new Set(["authorization", "apikey", "cookie"]);

export function requestContextOf({ method, headers, ip }: HttpRequest, path: string): RequestContext {
  const passed = Object.entries(headers).filter(([name, value]) => value !== undefined && !credentialHeaders.has(name));
  return {
    method,
    path,
    headers: {
      ...Object.fromEntries(passed.map(([name, value]) => [name, String(value)])),
      // Overwrites the header of the caller, who may write any address into it. SQL gets the address that Fastify's
      // `trustProxy` accepts.
      "x-forwarded-for": ip,
    },
  };
}
