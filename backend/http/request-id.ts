import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";

/** What a proxy may pass on. No email address and no token with a dot or a sign fits, and no id is long. */
const passedOn = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Returns what gives each request its id: the one that a proxy of `trustProxy` passes on as `X-Request-Id`, or a random
 * one. Other senders cannot choose it, so that no request is mistaken for another in the log.
 */
export function requestIds(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  const isProxy = proxyAddress.compile([...trustProxy]);
  return ({ headers, socket: { remoteAddress = "" } }) => {
    const id = headers["x-request-id"];
    return typeof id === "string" && passedOn.test(id) && isProxy(remoteAddress, 0) ? id : randomId();
  };
}

/** The last 62 random bits of a UUID. Node draws the bytes of many at once. */
function randomId(): string {
  return randomUUID().slice(-17).replace("-", "");
}
