import { createHmac } from "node:crypto";
import { lookup as lookupAddress } from "node:dns";
import { request as requestOverHttp } from "node:http";
import { request as requestOverHttps } from "node:https";
import { isIP } from "node:net";
import querystring from "node:querystring";
import { isPublicAddress } from "#backend/http/ip-address";
import { describeRequestError } from "#process/network-error";
import type { Rows } from "#server/rows";
import { PrivateAddressError, publicOnly } from "./private-addresses.ts";

/** The shortest time limit that the Standard Webhooks specification recommends. */
const attemptSeconds = 15;

export interface WebhookEvent {
  /** The same in all attempts, so that the receiver recognises a repeat. */
  id: string;
  type: "contact.created";
  contact: Pick<Rows["public.contacts"], "id" | "name" | "company" | "email" | "interest" | "submitted_at">;
}

export interface WebhookOptions {
  /** An http:// or https:// URL. Its user and password, if any, are sent as Basic authentication. */
  url: string;
  /** The key in base64 after `whsec_`, or any other text, whose UTF-8 bytes are the key. */
  secret: string;
  /** Whether `url` may lead to this machine and its network. */
  allowPrivate: boolean;
  /** How long one attempt may take in all. */
  attemptSecondsMax?: number;
}

export interface Webhook {
  /** Makes one attempt: resolves if the answer is 2xx, otherwise rejects with a reason that an admin can read. */
  send(event: WebhookEvent): Promise<void>;
}

/** Sends events to another program, signed as in the Standard Webhooks specification 1.0.0. */
export function createWebhook(options: WebhookOptions): Webhook {
  const { url, secret, allowPrivate, attemptSecondsMax = attemptSeconds } = options;
  const target = new URL(url);
  const key = keyOf(secret);

  return {
    async send({ id, type, contact }) {
      const body = JSON.stringify({ type, timestamp: contact.submitted_at, data: contact });
      const headers = signatureHeaders(key, id, body);
      const signal = AbortSignal.timeout(attemptSecondsMax * 1000);
      const status = await post(target, { headers, body, allowPrivate, signal }).catch((error: unknown) => {
        throw new Error(`${hostOf(target)} ${describeRequestError(error)}.`, { cause: error });
      });
      if (status < 200 || status > 299) throw new Error(describeStatus(status));
    },
  };
}

function keyOf(secret: string): Buffer {
  const base64 = /^whsec_(.*)$/s.exec(secret)?.[1];
  const key = base64 === undefined ? Buffer.from(secret) : Buffer.from(base64, "base64");
  if (key.length === 0) throw new Error("WEBHOOK_SECRET holds no key, so any program could forge the signature.");
  return key;
}

/**
 * The headers of Standard Webhooks 1.0.0: one HMAC, for which the standard's own library would be one more package. The
 * time is that of the attempt, so a receiver can refuse an old call that is sent again (a replay).
 */
export function signatureHeaders(key: Buffer, id: string, body: string, now = new Date()) {
  const seconds = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
}

interface Attempt {
  headers: Record<string, string>;
  body: string;
  allowPrivate: boolean;
  signal: AbortSignal;
}

/**
 * Posts `body` and returns the status of the answer. Redirects are not followed. Not by `fetch`: it takes no `lookup`, so
 * it could connect to another address than the one that was checked.
 */
async function post(target: URL, { headers, body, allowPrivate, signal }: Attempt): Promise<number> {
  const host = hostOf(target);
  // If the host is an IP address, the socket does not call `lookup`, so the address is checked here.
  if (!allowPrivate && isIP(host) && !isPublicAddress(host)) throw new PrivateAddressError(host, host);

  const { username, password, pathname, search } = target;
  const open = target.protocol === "https:" ? requestOverHttps : requestOverHttp;
  return new Promise((resolve, reject) => {
    let status: number | undefined;
    let failure: Error | undefined;
    const request = open(
      {
        hostname: host,
        port: target.port,
        path: pathname + search,
        // Not by `decodeURIComponent`, as in a URL that Node reads: it refuses a password with a single "%".
        auth: username || password ? `${querystring.unescape(username)}:${querystring.unescape(password)}` : undefined,
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "user-agent": "contact-webhook",
        },
        // Each attempt opens a new connection, so that its address is checked again.
        agent: false,
        lookup: allowPrivate ? undefined : publicOnly(lookupAddress),
        signal,
      },
      (response) => {
        status = response.statusCode;
        // Without a listener an error in the rest of the answer, of which nothing is used, would end our server.
        response.resume().on("error", () => {});
      },
    );
    request.on("error", (error) => {
      failure = error;
    });
    // Every outcome ends with this event, and only the status counts.
    request.on("close", () => (status === undefined ? reject(failure) : resolve(status)));
    request.end(body);
  });
}

/** The host, without the brackets that an IPv6 address has in a URL. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function describeStatus(status: number): string {
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  return `The webhook answered ${status}${isRedirect ? ", which leads to another address: set WEBHOOK_URL to that one" : ""}.`;
}
