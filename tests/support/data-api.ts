import { createClient } from "@supabase/supabase-js";
import Fastify from "fastify";
import type { Pool } from "pg";
import { dataApi } from "#server/data/data-api";
import type { VerifyToken } from "#server/data/identity";
import type { Claims } from "#server/database/as-caller";

export const publicKey = "sb_publishable_embedded";

/** One request and its answer, as they went over the wire. */
export interface Exchange {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string | undefined;
  status: number;
  answered: Record<string, unknown>;
}

/** The data API alone, listening on a port of its own, with every exchange recorded. */
export async function startDataApi(options: { caller: Pool; verifyToken?: VerifyToken; schemas?: readonly string[] }) {
  const exchanges: Exchange[] = [];
  const failures: unknown[] = [];
  let underWay = 0;
  const app = Fastify({
    logger: { level: "error", stream: { write: (line: string) => failures.push(JSON.parse(line)) } },
    forceCloseConnections: true,
  });
  app.addHook("onRequest", async () => {
    underWay += 1;
  });
  app.addHook("onResponse", async (request, reply) => {
    underWay -= 1;
    exchanges.push({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : undefined,
      status: reply.statusCode,
      answered: reply.getHeaders(),
    });
  });
  app.register(dataApi({ publicKey, verifyToken: readMadeUpToken, ...options }), { prefix: "/rest/v1" });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });

  return {
    app,
    url,
    /** What the server logged as its own failure; a test that expects none looks here. */
    failures,
    /** The real client, as nobody in particular or with a token of its own. */
    client(token?: string) {
      return createClient(url, publicKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        ...(token ? { accessToken: async () => token } : {}),
      });
    },
    /** The last exchange. The client may have its answer a moment before the server has written it down. */
    async last(): Promise<Exchange> {
      while (underWay > 0) await new Promise(setImmediate);
      const exchange = exchanges.at(-1);
      if (!exchange) throw new Error("Nothing was asked.");
      return exchange;
    },
    stop: () => app.close(),
  };
}

/** A token that carries its claims unsigned, for the verifier that the tests hand in. */
export function madeUpToken(claims: Partial<Claims>): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
  return [encode({ alg: "ES256", typ: "JWT" }), encode(claims), "unsigned"].join(".");
}

const readMadeUpToken: VerifyToken = async (token) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
