import { createClient } from "@supabase/supabase-js";
import Fastify from "fastify";
import type { Pool } from "pg";
import { dataApi, type VerifyToken } from "#backend/data-api/data-api";
import type { Claims } from "#backend/database/as-caller";
import { errorForLog } from "#process/log";
import { defaultPublicKey } from "#server/settings";
import { onFinished } from "./on-finished.ts";

export const publicKey = defaultPublicKey;

/** One HTTP request and its answer. */
export interface Exchange {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string | undefined;
  status: number;
  answered: Record<string, unknown>;
}

/**
 * Starts a server that has only the data API and records every request with its response. It ends with the test or file
 * that starts it.
 */
export async function startDataApi(options: { caller: Pool; verifyToken?: VerifyToken }) {
  const exchanges: Exchange[] = [];
  const failures: unknown[] = [];
  let inFlight = 0;
  const app = Fastify({
    logger: {
      level: "error",
      serializers: { err: errorForLog },
      stream: { write: (line: string) => failures.push(JSON.parse(line)) },
    },
    forceCloseConnections: true,
  });
  app.addHook("onRequest", async () => {
    inFlight += 1;
  });
  app.addHook("onResponse", async (request, reply) => {
    inFlight -= 1;
    exchanges.push({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : undefined,
      status: reply.statusCode,
      answered: reply.getHeaders(),
    });
  });
  app.register(dataApi({ publicKey, verifyToken: readMadeUpToken, deduplicated: ["contacts"], ...options }), {
    prefix: "/rest/v1",
  });
  onFinished(() => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });

  return {
    app,
    url,
    /** Errors that the server logged. */
    failures,
    /** Creates a Supabase client that is anonymous or sends this token. */
    client(token?: string) {
      // biome-ignore lint/suspicious/noExplicitAny: The tables have no types here, as is the client's default.
      return createClient<any, { PostgrestVersion: "14" }>(url, publicKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        ...(token ? { accessToken: async () => token } : {}),
      });
    },
    /** Resolves with the last exchange. Waits until it is recorded: the client may have its response earlier. */
    async last(): Promise<Exchange> {
      while (inFlight > 0) await new Promise(setImmediate);
      const exchange = exchanges.at(-1);
      if (!exchange) throw new Error("There was no request.");
      return exchange;
    },
  };
}

/** An unsigned token with these claims. The default verifier of `startDataApi` reads it without a check. */
export function madeUpToken(claims: Partial<Claims>): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
  return [encode({ alg: "ES256", typ: "JWT" }), encode(claims), "unsigned"].join(".");
}

const readMadeUpToken: VerifyToken = async (token) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
