import { createHmac } from "node:crypto";
import querystring from "node:querystring";
import { describeFetchError } from "#process/network-error";

/** The shortest time limit that the Standard Webhooks specification recommends. */
const attemptSeconds = 15;

export interface WebhookEvent {
  /** The same in all attempts, so that the receiver recognises a repeat. */
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
  /** An http:// or https:// URL. Its user and password, if any, are sent as Basic authentication. */
  url: string;
  /** The key in base64 after `whsec_`, or any other text, whose UTF-8 bytes are the key. */
  secret: string;
  /** How long one attempt may take in all. */
  attemptSecondsMax?: number;
}

export interface Webhook {
  /** Makes one attempt: resolves if the answer is 2xx, otherwise rejects with a reason that an admin can read. */
  send(event: WebhookEvent): Promise<void>;
}

/** Sends events to another program, signed as in the Standard Webhooks specification 1.0.0. */
export function createWebhook({ url, secret, attemptSecondsMax = attemptSeconds }: WebhookOptions): Webhook {
  const { target, credentials } = withoutCredentials(url);
  const key = keyOf(secret);

  return {
    async send({ id, type, contact }) {
      const body = JSON.stringify({ type, timestamp: contact.submitted_at, data: contact });
      const answer = await fetch(target, {
        method: "POST",
        headers: {
          ...signatureHeaders(key, id, body),
          ...credentials,
          "content-type": "application/json",
          "user-agent": "contact-webhook",
        },
        body,
        // A redirect could lead the contact elsewhere.
        redirect: "manual",
        signal: AbortSignal.timeout(attemptSecondsMax * 1000),
      }).catch((error: unknown) => {
        throw new Error(`${target.hostname} ${describeFetchError(error)}.`, { cause: error });
      });
      // Only the status counts: the body may be endless, and may break off.
      await answer.body?.cancel().catch(() => {});
      if (!answer.ok) throw new Error(describeStatus(answer.status));
    },
  };
}

/** `fetch` refuses a URL with a user, so that goes into the header. */
function withoutCredentials(url: string) {
  const target = new URL(url);
  const { username, password } = target;
  target.username = target.password = "";
  const pair = `${querystring.unescape(username)}:${querystring.unescape(password)}`;
  const credentials = pair === ":" ? undefined : { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
  return { target, credentials };
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

function describeStatus(status: number): string {
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  return `The webhook answered ${status}${isRedirect ? ", which leads to another address: set WEBHOOK_URL to that one" : ""}.`;
}
