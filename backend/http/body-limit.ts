import type { IncomingMessage } from "node:http";
import { errorCodes, type FastifyRequest, type RequestPayload } from "fastify";

/** What a request without a verified token may send to either API; a contact has 1 kB. */
export const strangersBytesMax = 64 * 1024;

/** Whether a body follows the head (RFC 9112, 6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return Number(headers["content-length"]) > 0 || headers["transfer-encoding"] !== undefined;
}

/** Refuses a stranger's body that is too large, before or while a parser reads it that accepts more. */
export function limitBody({ headers }: FastifyRequest, body: RequestPayload, done: (error?: Error) => void) {
  const tooLarge = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  if (Number(headers["content-length"]) > strangersBytesMax) return done(tooLarge());
  let bytes = 0;
  body.on("data", ({ length }: Buffer) => {
    bytes += length;
    if (bytes > strangersBytesMax) refuseBody(body, tooLarge());
  });
  done();
}

/** Only Fastify's parser listens to errors of a body. It stops, and the connection stays open for the answer. */
export function refuseBody(body: RequestPayload, error: Error) {
  if (body.listenerCount("error") > 0) body.emit("error", error);
}
