import { lookup as lookupAddress } from "node:dns";
import { type IncomingMessage, request as requestOverHttp } from "node:http";
import { request as requestOverHttps } from "node:https";
import { isIP } from "node:net";
import { describeNetworkError } from "#server/http/network-error";
import { isPublicAddress, PrivateAddressError, publicOnly } from "./private-addresses.ts";
import { keyOf, signatureHeaders } from "./webhook-signature.ts";

/** The shortest patience that the specification recommends. */
const patienceSeconds = 15;

/** Nobody reads the answer, but a receiver that still writes is heard out this far before the line goes dead. */
const answerBytesMax = 4 * 1024;

export interface WebhookEvent {
  /** Stays the same over all attempts. */
  id: string;
  type: "contact.created";
  contact: {
    id: string;
    name: string;
    company: string;
    email: string;
    interest: string;
    submitted_at: Date | string;
  };
}

export interface WebhookOptions {
  /** http:// or https://; a user and password in it stay unused. */
  url: string;
  secret: string;
  /** Whether it may lead to this machine and its neighbours. */
  allowPrivate: boolean;
  /** How long one attempt may take in all. */
  attemptSecondsMax?: number;
}

export interface Webhook {
  /** Resolves once the receiver has said 2xx; rejects with a reason that an admin can read. One attempt, no repeats. */
  send(event: WebhookEvent): Promise<void>;
}

/** Tells another program of an event, signed as the Standard Webhooks specification 1.0.0 has it. */
export function createWebhook(options: WebhookOptions): Webhook {
  const { url, secret, allowPrivate, attemptSecondsMax = patienceSeconds } = options;
  const target = new URL(url);
  const key = keyOf(secret);

  return {
    async send({ id, type, contact }) {
      const body = JSON.stringify({ type, timestamp: contact.submitted_at, data: contact });
      const headers = signatureHeaders(key, { id, body, seconds: Math.floor(Date.now() / 1000) });
      const signal = AbortSignal.timeout(attemptSecondsMax * 1000);
      const status = await post(target, { headers, body, allowPrivate, signal }).catch((error: unknown) => {
        throw new Error(reasonOf(error, hostOf(target)), { cause: error });
      });
      if (status < 200 || status > 299) throw new Error(refusalOf(status));
    },
  };
}

interface Attempt {
  headers: Record<string, string>;
  body: string;
  allowPrivate: boolean;
  signal: AbortSignal;
}

/** The status of the answer. A redirect is an answer like any other: it is not followed. */
async function post(target: URL, { headers, body, allowPrivate, signal }: Attempt): Promise<number> {
  const host = hostOf(target);
  // A socket does not look an address up that is written as one, so its own check never sees it.
  if (!allowPrivate && isIP(host) && !isPublicAddress(host)) throw new PrivateAddressError(host, host);

  const open = target.protocol === "https:" ? requestOverHttps : requestOverHttp;
  return new Promise((answered, fail) => {
    const request = open(
      {
        method: "POST",
        host,
        port: target.port,
        path: target.pathname + target.search,
        headers: {
          ...headers,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "user-agent": "contact-webhook",
        },
        // A connection for each attempt: one that is kept was checked at another time.
        agent: false,
        lookup: allowPrivate ? undefined : publicOnly(lookupAddress),
        signal,
      },
      (response) => {
        // The first line has said what there is to know, however the rest of the answer ends.
        request.off("error", fail).on("error", () => {});
        response.on("close", () => answered(response.statusCode ?? 0));
        discard(response);
      },
    );
    request.on("error", fail);
    request.end(body);
  });
}

function discard(response: IncomingMessage) {
  let bytes = 0;
  response.on("error", () => {});
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > answerBytesMax) response.destroy();
  });
}

function refusalOf(status: number): string {
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  return `The webhook answered ${status}${isRedirect ? ", which leads to another address: set WEBHOOK_URL to that one" : ""}.`;
}

function reasonOf(error: unknown, host: string): string {
  if (error instanceof PrivateAddressError) return error.message;

  const { name, code = "", message } = error as NodeJS.ErrnoException;
  if (name === "AbortError") return `${host} did not answer in time.`;
  const trouble = describeNetworkError(code);
  if (trouble) return `${host} ${trouble}.`;
  if (code.startsWith("HPE_")) return `${host} answered with something that is not HTTP.`;
  if (code === "ECONNRESET" || code === "EPIPE") return `${host} closed the connection without an answer.`;
  return `${host} could not be reached: ${message || code}.`;
}

/** Without the brackets that an address of IPv6 wears in a URL. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
