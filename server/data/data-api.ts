import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Claims } from "#server/database/as-caller";
import { requestContextOf } from "#server/database/request-context";
import { allowAnyOrigin } from "#server/http/cors";
import { type FloodLimits, noFloodLimits } from "#server/http/flood-limits";
import { createCatalogue } from "./catalogue.ts";
import { identify, type VerifyToken } from "./identity.ts";
import { parseRequest, type RawRequest } from "./parse.ts";
import { refusals } from "./refusals.ts";
import { respond } from "./respond.ts";
import { run } from "./run.ts";
import { sendDataError } from "./send-data-error.ts";
import { writeSql } from "./write-sql.ts";

export interface DataApiOptions {
  /** The connection pool for the statements of callers. It logs in as the role `authenticator`. */
  caller: Pool;
  /** The only API key that is accepted. A caller who sends this key and no token is anonymous. */
  publicKey: string;
  verifyToken: VerifyToken;
  limits?: FloodLimits;
}

const bodyBytesMax = 1024 * 1024;

/** Serves /rest/v1: a subset of PostgREST 14, in four stages (docs/protocol.md#stages). */
export function dataApi({
  caller,
  publicKey,
  verifyToken,
  limits = noFloodLimits,
}: DataApiOptions): FastifyPluginAsync {
  const catalogue = createCatalogue(caller);

  return async (api) => {
    const claimsOf = new WeakMap<FastifyRequest, Claims>();

    // Bodies stay bytes until stage one parses them: Fastify's own parser would refuse the empty body that the client
    // sends with a JSON content type (docs/protocol.md#empty-json-bodies).
    api.removeAllContentTypeParsers();
    api.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );

    api.addHook("onRequest", async (request, reply) => {
      if (allowAnyOrigin(request, reply)) return reply;
      // The session of a token is looked up in the database.
      const verify: VerifyToken = (token) => limits.withConnection(request, () => verifyToken(token));
      claimsOf.set(request, await identify(request, publicKey, verify));
    });

    api.setErrorHandler((error, request, reply) =>
      sendDataError(error, request, reply, (claimsOf.get(request)?.role ?? "anon") === "anon"),
    );
    api.setNotFoundHandler(() => {
      throw refusals.unknownPath();
    });

    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const parsed = parseRequest(toRaw(request));
      const claims = claimsOf.get(request) ?? { role: "anon" };
      const statement = await catalogue.use((snapshot) => writeSql(parsed, snapshot, claims.role));
      // Behind proxies Fastify computes the address each time that it is read.
      const { id, ip, raw, method, headers } = request;
      if (statement.contacts > 0) limits.takeContacts(ip, statement.contacts);
      const context = requestContextOf({ id, method, headers, ip }, pathOf(request));
      const outcome = await limits.withConnection({ ip, raw }, () => run(caller, parsed, statement, claims, context));
      return respond(reply, parsed, statement, outcome);
    };
    // The pattern `/*` does not match the address /rest/v1 itself, so this address has a route of its own.
    api.all("/", answer);
    api.all("/*", answer);
  };
}

function toRaw(request: FastifyRequest): RawRequest {
  const body = request.body instanceof Uint8Array ? request.body : undefined;
  // Node joins the values of a repeated header, except of `set-cookie`, which is not read here.
  const headers = request.headers as RawRequest["headers"];
  return { method: request.method, path: pathOf(request), query: queryOf(request), headers, body };
}

function pathOf(request: FastifyRequest): string {
  return `/${(request.params as { "*"?: string })["*"] ?? ""}`;
}

function queryOf(request: FastifyRequest): string {
  const [, query = ""] = /\?(.*)$/s.exec(request.url) ?? [];
  return query;
}
