import { createHmac } from "node:crypto";

/** A secret as the specification writes it: this, and then the key's bytes in base64. */
const prefix = "whsec_";

/** The bytes to sign with: of `whsec_…` what its base64 stands for, of any other secret its characters as UTF-8. */
export function keyOf(secret: string): Buffer {
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret);
  if (key.length === 0) throw new Error("WEBHOOK_SECRET holds no key, so that anybody could forge the signature.");
  return key;
}

/**
 * The headers of the Standard Webhooks specification 1.0.0. The id is the event's, so that a receiver knows an attempt
 * that it has seen before; the time is the attempt's, so that an old one cannot be played back.
 */
export function signatureHeaders(key: Buffer, { id, body, seconds }: { id: string; body: string; seconds: number }) {
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
}
