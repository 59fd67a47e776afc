import type { IncomingHttpHeaders } from "node:http";

/** What PostgREST tells the database about a request (protocol section 4.1). Header names in lower case, no cookies. */
export interface RequestContext {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
}

/** The part of a Fastify request that SQL may hear of. */
interface Asked {
  method: string;
  headers: IncomingHttpHeaders;
  ip: string;
}

/** Credentials stay here: SQL gets the claims, and a function that stores the headers must not store a token. */
const withheld = new Set(["authorization", "apikey", "cookie"]);

/** What triggers may know of a request (protocol section 4.1), whichever door it came through. */
export function requestContextOf({ method, headers, ip }: Asked, path: string): RequestContext {
  const told = Object.entries(headers).filter(([name, value]) => value !== undefined && !withheld.has(name));
  return {
    method,
    path,
    headers: {
      ...Object.fromEntries(told.map(([name, value]) => [name, String(value)])),
      // Whatever a caller claims, SQL sees the address that this server believes (Fastify's `trustProxy` decides).
      "x-forwarded-for": ip,
    },
  };
}
