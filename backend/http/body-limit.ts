import type { IncomingMessage } from "node:http";

/** Of every request; a form sends 1 kB. */
export const bodyBytesMax = 64 * 1024;

/** Whether a body follows the head (RFC 9112, 6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return Number(headers["content-length"]) > 0 || headers["transfer-encoding"] !== undefined;
}
