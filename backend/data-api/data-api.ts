import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Claims } from "#backend/database/as-caller";
import { hasBody, limitBody } from "#backend/http/body-limit";
import { allowAnyOrigin } from "#backend/http/cors";
import { isApiKey, readBearer, requirePublicKey } from "#backend/http/credentials";
import { type FloodLimits, noFloodLimits } from "#backend/http/flood-limits";
import { requestContextOf } from "#backend/http/request-context";
import { createCatalogue } from "./catalogue.ts";
import { type DataRequest, parseRequest, type RawRequest } from "./parse-request.ts";
import { refusals } from "./refusals.ts";
import { type Outcome, runStatement } from "./run-statement.ts";
import { sendDataError } from "./send-data-error.ts";
import { type Statement, writeSql } from "./write-sql.ts";

/** Resolves with the claims if the token's signature, claims and session are valid; otherwise throws a refusal. */
export type VerifyToken = (token: string) => Promise<Claims>;

export interface DataApiOptions {
  /** The connection pool for the statements of callers. It logs in as the role `authenticator`. */
  caller: Pool;
  /** The only API key that is accepted. A caller who sends this key and no token is anonymous. */
  publicKey: string;
  verifyToken: VerifyToken;
  limits?: FloodLimits;
}

/** Of a request with a verified token. */
const bodyBytesMax = 1024 * 1024;

/** Serves /rest/v1: a subset of PostgREST 14 (docs/protocol.md#data-api), in four stages: parse, write SQL, run, respond. */
export function dataApi({
  caller,
  publicKey,
  verifyToken,
  limits = noFloodLimits,
}: DataApiOptions): FastifyPluginAsync {
  const withSnapshot = createCatalogue(caller);

  return async (api) => {
    const claimsOf = new WeakMap<FastifyRequest, Claims>();
    const roleOf = (request: FastifyRequest) => claimsOf.get(request)?.role ?? "anon";

    // Bodies stay bytes until stage one parses them: Fastify's own parser would refuse the empty body that the client
    // sends with a JSON content type (docs/protocol.md#auth-request-bodies).
    api.removeAllContentTypeParsers();
    api.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );

    api.addHook("onRequest", async (request, reply) => {
      if (allowAnyOrigin(request, reply)) return reply;
      // The session of a token is looked up in the database.
      const verify: VerifyToken = (token) => limits.withConnection(request, () => verifyToken(token));
      const claims = await identify(request, publicKey, verify);
      claimsOf.set(request, claims);
      // Contacts are all that an anonymous caller sends. The first one counts before its body is read.
      if (claims.role === "anon" && hasBody(request.raw)) limits.takeContacts(request.ip, 1);
    });
    api.addHook("preParsing", (request, _reply, body, done) => {
      if (roleOf(request) === "anon") limitBody(request, body, done);
      else done();
    });

    api.setErrorHandler((error, request, reply) => sendDataError(error, request, reply, roleOf(request) === "anon"));
    api.setNotFoundHandler(() => {
      throw refusals.unknownPath();
    });

    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const asked = toRaw(request);
      const parsed = parseRequest(asked);
      const claims = claimsOf.get(request) ?? { role: "anon" };
      const statement = await withSnapshot((snapshot) => writeSql(parsed, snapshot, claims.role));
      // Behind proxies Fastify computes the address each time that it is read.
      const { id, ip, raw, method, headers } = request;
      const further = statement.contacts - (claims.role === "anon" ? 1 : 0);
      if (further > 0) limits.takeContacts(ip, further);
      const context = requestContextOf({ id, method, headers, ip }, asked.path);
      const outcome = await limits.withConnection({ ip, raw }, () =>
        runStatement(caller, parsed, statement, claims, context),
      );
      return respond(reply, parsed, statement, outcome);
    };
    // The pattern `/*` does not match the address /rest/v1 itself, so this address has a route of its own.
    api.all("/", answer);
    api.all("/*", answer);
  };
}

/**
 * The public key makes a caller anonymous; only a token gives more rights (docs/protocol.md#caller-identity).
 */
async function identify(request: FastifyRequest, publicKey: string, verifyToken: VerifyToken): Promise<Claims> {
  requirePublicKey(request, publicKey);

  const token = readBearer(request);
  if (token === undefined || isApiKey(token, publicKey)) return { role: "anon" };

  if (token === "") throw refusals.emptyToken();
  const parts = token.split(".").length;
  if (parts !== 3) throw refusals.notThreeParts(parts);
  return verifyToken(token);
}

function toRaw({ method, url, params, body, headers }: FastifyRequest): RawRequest {
  return {
    method,
    path: `/${(params as { "*"?: string })["*"] ?? ""}`,
    query: /\?(.*)$/s.exec(url)?.[1] ?? "",
    // Node joins the values of a repeated header, except of `set-cookie`, which is not read here.
    headers: headers as RawRequest["headers"],
    body: body instanceof Uint8Array ? body : undefined,
  };
}

/**
 * Stage four: sends the status, headers and body of a successful answer (docs/protocol.md#select,
 * docs/protocol.md#insert-answers, docs/protocol.md#update-and-delete).
 */
function respond(reply: FastifyReply, request: DataRequest, statement: Statement, outcome: Outcome) {
  const { method, target, isSingle, returnsRows, offset } = request;
  const { body, returned, total } = outcome;
  const isRead = target.kind === "function" || method === "GET" || method === "HEAD";

  const first = isRead ? offset : method === "PATCH" ? 0 : undefined;
  const rows = first === undefined || returned === 0 ? "*" : `${first}-${first + returned - 1}`;
  reply.header("content-range", `${rows}/${total ?? "*"}`);

  if (statement.isVoid) return reply.code(204).send();
  if (isRead) reply.code(total !== null && returned < total ? 206 : 200);
  else reply.code(method === "POST" ? 201 : returnsRows ? 200 : 204);
  if (!isRead && !returnsRows) return reply.send();

  reply.header("content-type", `application/${isSingle ? "vnd.pgrst.object+json" : "json"}; charset=utf-8`);
  // The JSON text of PostgreSQL is sent unchanged.
  return method === "HEAD" ? reply.send() : reply.send(body ?? "null");
}
