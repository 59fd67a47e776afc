import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Pool, QueryResult } from "pg";
import { asCaller, type CallerOptions, type Claims, queryAsCaller } from "#backend/database/as-caller";
import { singleStatement } from "#backend/database/transaction";
import { allowAnyOrigin } from "#backend/http/cors";
import { isApiKey, readBearer, requirePublicKey } from "#backend/http/credentials";
import { hasBody, keepBodies } from "#backend/http/request-body";
import { requestContextOf } from "#backend/http/request-context";
import { type FloodLimits, noFloodLimits } from "#backend/limits/flood-limits";
import { createCatalogue } from "./catalogue.ts";
import { type DataRequest, parseRequest } from "./parse-request.ts";
import { refusals } from "./refusals.ts";
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
  /**
   * Tables that store a row once that is sent twice within seconds. The insert of a single row into one of them is
   * repeated if the connection to PostgreSQL breaks. The second run stores no row that it could return or count.
   */
  deduplicated?: readonly string[];
}

interface Outcome {
  /** The JSON text that PostgreSQL wrote, or null if no rows were requested. */
  body: string | null;
  /** How many rows were read, up to the limit, or changed. */
  returned: number;
  /** How many rows match, if the request asks for it. */
  total: number | null;
}

/** Serves /rest/v1: a subset of PostgREST 14 (docs/protocol.md#data-api), in four stages: parse, write SQL, run, respond. */
export function dataApi({
  caller,
  publicKey,
  verifyToken,
  limits = noFloodLimits,
  deduplicated = [],
}: DataApiOptions): FastifyPluginAsync {
  const withSnapshot = createCatalogue(caller);

  return async (api) => {
    const claimsOf = new WeakMap<FastifyRequest, Claims>();
    const anonymous: Claims = { role: "anon" };
    const isAnonymous = (request: FastifyRequest) => (claimsOf.get(request) ?? anonymous).role === "anon";

    keepBodies(api);
    api.addHook("onRequest", async (request, reply) => {
      if (allowAnyOrigin(request, reply)) return reply;
      // The session of a token is looked up in the database.
      const verify: VerifyToken = (token) => limits.withConnection(request, () => verifyToken(token));
      claimsOf.set(request, await identify(request, publicKey, verify));
      // Of an anonymous caller a body counts as one row before it is read.
      if (isAnonymous(request) && hasBody(request.raw)) limits.take("inserted rows", { ip: request.ip });
    });

    api.setErrorHandler((error, request, reply) => sendDataError(error, request, reply, isAnonymous(request)));
    api.setNotFoundHandler(() => {
      throw refusals.unknownPath();
    });

    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const parsed = parseRequest(request);
      const statement = await withSnapshot((snapshot) => writeSql(parsed, snapshot));
      const { target, method, payload, returnsRows, isSingle, countsAll } = parsed;
      const rows = target.kind === "table" && method === "POST" ? (payload?.rowCount ?? 0) : 0;
      const further = rows - (isAnonymous(request) ? 1 : 0);
      if (further > 0) limits.take("inserted rows", { ip: request.ip }, { tokens: further });

      const isRepeatable = rows === 1 && deduplicated.includes(target.name) && !(returnsRows || isSingle || countsAll);
      const options = {
        claims: claimsOf.get(request) ?? anonymous,
        isRepeatable,
        readOnly: statement.isReadOnly,
        request: requestContextOf(request, `/${(request.params as { "*"?: string })["*"] ?? ""}`),
      };
      const outcome = await limits.withConnection(request, () => run(caller, parsed, statement, options));
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
  return token === undefined || isApiKey(token, publicKey) ? { role: "anon" } : verifyToken(token);
}

/**
 * By their text, the inserts that were accepted: under these names connections keep them planned. A text differs only by
 * the columns that a caller has the right to fill, so callers cannot fill the memory of PostgreSQL with many.
 */
const accepted = new Map<string, string>();

/**
 * Stage three: runs one statement in one transaction with the caller's rights (docs/protocol.md#transaction-settings). One
 * that may run twice takes one round trip; any other is rolled back at a wrong number of rows.
 */
async function run(
  caller: Pool,
  request: DataRequest,
  { text, values, isReadOnly }: Statement,
  { claims, isRepeatable, ...options }: CallerOptions & { claims: Claims; isRepeatable: boolean },
): Promise<Outcome> {
  if (!isReadOnly && !isRepeatable) {
    const statement = singleStatement({ text, values });
    return asCaller(caller, claims, async (db) => checkRows(request, await db.query<Outcome>(statement)), options);
  }
  const statement = { name: accepted.get(text) ?? "", text, values };
  const outcome = checkRows(request, await queryAsCaller<Outcome>(caller, claims, statement, options));
  // Another request may have set it meanwhile.
  if (!isReadOnly && !accepted.has(text)) accepted.set(text, `insert ${accepted.size}`);
  return outcome;
}

function checkRows({ offset, isSingle }: DataRequest, { rows }: QueryResult<Outcome>): Outcome {
  const { body, returned, total } = rows[0] ?? { body: null, returned: 0, total: null };
  if (total !== null && offset > total) throw refusals.offsetBeyondTotal(offset, total);
  if (isSingle && returned !== 1) throw refusals.notOneRow(returned);
  return { body, returned, total };
}

/** Stage four: sends the status, headers and body of a successful answer. */
function respond(reply: FastifyReply, request: DataRequest, { isVoid }: Statement, outcome: Outcome) {
  const { method, target, isSingle, returnsRows, offset } = request;
  const { body, returned, total } = outcome;
  const isRead = target.kind === "function" || method === "GET" || method === "HEAD";

  const range = isRead && returned > 0 ? `${offset}-${offset + returned - 1}` : "*";
  reply.header("content-range", `${range}/${total ?? "*"}`);
  if (isVoid) return reply.code(204).send();
  if (isRead) reply.code(total !== null && returned < total ? 206 : 200);
  else reply.code(method === "POST" ? 201 : returnsRows ? 200 : 204);
  if (!isRead && !returnsRows) return reply.send();

  reply.header("content-type", `application/${isSingle ? "vnd.pgrst.object+json" : "json"}; charset=utf-8`);
  // The JSON text of PostgreSQL is sent unchanged.
  return method === "HEAD" ? reply.send() : reply.send(body ?? "null");
}
