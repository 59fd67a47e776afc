import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { decodeJwt, SignJWT } from "jose";
import { pino } from "pino";
import type { SigningKeys } from "#backend/auth/tokens/signing-keys";
import { type AppParts, buildApp } from "#server/app";
import { defaultPublicKey, readSettings } from "#server/settings";
import { cheapHasher } from "../support/auth-server.ts";
import type { TestDatabase, TestUser } from "../support/database.ts";

export type Request = Omit<InjectOptions, "url"> & { url: string };
export type Send = (request: Request) => Promise<LightMyRequestResponse>;

/** A route as the server registered it. */
export interface Route {
  method: string | readonly string[];
  url: string;
}

/**
 * Starts the whole server without a port. Without a backend, it is the server of a site with a hosted project. Fastify
 * announces itself when it is created, so no route is missed.
 */
export async function startServer(parts: Pick<AppParts, "backend" | "assets">) {
  const routes: Route[] = [];
  const collect = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ method, url }) => {
      routes.push({ method, url });
    });
  const hosted = { PUBLIC_SUPABASE_URL: "https://project.example" };
  subscribe("fastify.initialization", collect);
  const app = buildApp({
    ...parts,
    settings: readSettings(
      parts.backend ? { AUTH_LIMITS: "off", SECRETS_KEY: "a key that only these tests know" } : hosted,
    ),
    log: pino({ level: "silent" }),
  });
  unsubscribe("fastify.initialization", collect);
  await app.ready();
  return { app, routes };
}

let networks = 0;

/** Sends requests with these headers. Each request comes from another network, so that no limit refuses it. */
export function sender(app: FastifyInstance, credentials: Readonly<Record<string, string>>): Send {
  return ({ headers, ...request }) => {
    networks += 1;
    const remoteAddress = `9.${networks >> 8}.${networks & 255}.7`;
    return app.inject({ ...request, remoteAddress, headers: { ...credentials, ...headers } });
  };
}

/** The headers of Supabase's client with this access token. */
export function withToken(token: string): Record<string, string> {
  return { apikey: defaultPublicKey, authorization: `Bearer ${token}` };
}

export const password = "correct horse battery";

export async function setPassword({ owner }: TestDatabase, { id }: TestUser): Promise<void> {
  const hash = await cheapHasher.hash(password);
  await owner.query("update auth.users set encrypted_password = $2 where id = $1", [id, hash]);
}

/** Signs in over HTTP, and resolves with the access token. */
export async function signIn(app: FastifyInstance, { email }: TestUser): Promise<string> {
  const url = "/auth/v1/token?grant_type=password";
  const send = sender(app, { apikey: defaultPublicKey });
  return (await send({ method: "POST", url, payload: { email, password } })).json().access_token;
}

/**
 * The token of an admin with the role of a secret key, signed with the server's own key. Nobody but the server can sign
 * it, and the server does not: it has no secret key and refuses this token.
 */
export async function serviceToken(keys: SigningKeys, adminToken: string): Promise<string> {
  const { kid, privateKey } = await keys.forSigning();
  return new SignJWT({ ...decodeJwt(adminToken), role: "service_role" })
    .setProtectedHeader({ alg: "ES256", typ: "JWT", kid })
    .sign(privateKey);
}
