import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";

/** Of every request; a form sends 1 kB. */
const bodyBytesMax = 64 * 1024;

/** Whether a body follows the head (RFC 9112, 6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return Number(headers["content-length"]) > 0 || headers["transfer-encoding"] !== undefined;
}

/**
 * Leaves bodies of all types as bytes, which an API reads when the request is not to be refused for another reason. Fastify
 * would refuse the empty body that the client sends with a JSON content type (docs/protocol.md#auth-request-bodies).
 */
export function keepBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyBytesMax }, (_request, body, done) =>
    done(null, body),
  );
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text of a body and its value; undefined if it is not JSON in UTF-8. */
export function readJson(bytes: Uint8Array | undefined): { json: string; value: unknown } | undefined {
  try {
    const json = utf8.decode(bytes);
    return { json, value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

/**
 * PostgreSQL reads JSON recursively: at some thousand levels it fails with SQLSTATE 54001, whose status is 500. So the
 * server itself refuses deep bodies.
 */
const nestingMax = 200;

/**
 * Counts the brackets outside of strings. The text is valid JSON, so every string has an end and the search takes
 * linear time.
 */
export function isNestedTooDeeply(json: string): boolean {
  // Most bodies are too short to be that deep.
  if (json.length <= nestingMax) return false;
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    if (depth > nestingMax) return true;
  }
  return false;
}
