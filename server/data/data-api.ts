import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Claims } from "#server/database/as-caller";
import { requestContextOf } from "#server/database/request-context";
import { answerPreflight, shareWithAnyOrigin } from "#server/http/gateway";
import { rememberCatalogue } from "./catalogue.ts";
import { sendDataError } from "./errors.ts";
import { identify, type VerifyToken } from "./identity.ts";
import { parseRequest, type RawRequest } from "./parse.ts";
import { planRequest } from "./plan.ts";
import { refusals } from "./refusals.ts";
import { respond } from "./respond.ts";
import { runPlan } from "./run.ts";

export interface DataApiOptions {
  /** Connects as `authenticator`. */
  caller: Pool;
  /** The one key that is accepted; it makes nobody more than anonymous. */
  publicKey: string;
  verifyToken: VerifyToken;
  /** The schemas that callers may name; the first is meant when they name none. */
  schemas?: readonly string[];
}

const bodyBytesMax = 1024 * 1024;
/** As much as Node reads of a request line by default; upstream's proxies stop at about the same. */
const addressLengthMax = 16 * 1024;

/** Answers under /rest/v1: a subset of PostgREST 14, in five stages. */
export function dataApi({ caller, publicKey, verifyToken, schemas = ["public"] }: DataApiOptions): FastifyPluginAsync {
  const catalogue = rememberCatalogue(caller, schemas);

  return async (api) => {
    const claimsOf = new WeakMap<FastifyRequest, Claims>();

    // Every body arrives as bytes and stage one reads it. Fastify's own parser would refuse the empty body that the
    // client sends with a JSON content type (protocol section 0, trap 1).
    api.removeAllContentTypeParsers();
    api.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );

    api.addHook("onRequest", async (request, reply) => {
      shareWithAnyOrigin(reply);
      reply.header("cache-control", "no-store");
      if (request.method === "OPTIONS") return answerPreflight(reply);
      if (request.url.length > addressLengthMax) throw refusals.addressTooLong();
      claimsOf.set(request, await identify(readCredentials(request), publicKey, verifyToken));
    });

    api.setErrorHandler((error, request, reply) =>
      sendDataError(error, request, reply, (claimsOf.get(request)?.role ?? "anon") === "anon"),
    );
    api.setNotFoundHandler(() => {
      throw refusals.unknownPath();
    });

    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const asked = parseRequest(toRaw(request), schemas);
      if (schemas.length > 1) reply.header("content-profile", asked.target.schema);
      const plan = await catalogue.plan((snapshot) => planRequest(asked, snapshot));
      const claims = claimsOf.get(request) ?? { role: "anon" };
      const outcome = await runPlan(caller, plan, claims, requestContextOf(request, pathOf(request)));
      return respond(reply, asked, plan, outcome);
    };
    // The prefix alone, with and without a slash, is a path of its own to Fastify.
    api.all("/", answer);
    api.all("/*", answer);
  };
}

function readCredentials(request: FastifyRequest) {
  const { apikey, authorization } = request.headers;
  const inAddress = new URLSearchParams(queryOf(request)).get("apikey");
  return { apikey: typeof apikey === "string" ? apikey : (inAddress ?? undefined), authorization };
}

function toRaw(request: FastifyRequest): RawRequest {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const body = request.body instanceof Uint8Array ? request.body : undefined;
  return { method: request.method, path: pathOf(request), query: queryOf(request), headers, body };
}

function pathOf(request: FastifyRequest): string {
  return `/${(request.params as { "*"?: string })["*"] ?? ""}`;
}

function queryOf(request: FastifyRequest): string {
  const [, query = ""] = /\?(.*)$/s.exec(request.url) ?? [];
  return query;
}
