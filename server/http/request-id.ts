import { randomFillSync } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { BlockList, isIPv6 } from "node:net";
import { canonicalAddress } from "./ip-address.ts";

/** What a proxy may pass on. No email address and no token with a dot or a sign fits, and no id is long. */
const passedOn = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Returns what gives each request its id: the one that a proxy of `trustProxy` passes on as `X-Request-Id`, or 64 random
 * bits. Other senders cannot choose it, so that no request is mistaken for another in the log.
 */
export function requestIds(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  const proxies = networksOf(trustProxy);
  return ({ headers, socket: { remoteAddress = "" } }) => {
    const id = headers["x-request-id"];
    if (typeof id !== "string" || !passedOn.test(id)) return randomId();
    const sender = canonicalAddress(remoteAddress);
    return sender !== undefined && proxies.check(sender, familyOf(sender)) ? id : randomId();
  };
}

function networksOf(entries: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const entry of entries.flatMap((each) => (each === "loopback" ? ["127.0.0.0/8", "::1"] : each))) {
    const [address = "", prefix] = entry.split("/");
    if (prefix === undefined) networks.addAddress(address, familyOf(address));
    else networks.addSubnet(address, Number(prefix), familyOf(address));
  }
  return networks;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

const idBytes = 8;

/** Random bytes for 512 ids at once: one by one they would cost a page forty times as much. */
const bytes = Buffer.alloc(512 * idBytes);
let next = bytes.length;

function randomId(): string {
  if (next === bytes.length) {
    randomFillSync(bytes);
    next = 0;
  }
  next += idBytes;
  return bytes.toString("hex", next - idBytes, next);
}
