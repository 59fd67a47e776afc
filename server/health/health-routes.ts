import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import { type Checks, watchReadiness } from "./readiness.ts";

export interface HealthOptions {
  siteUrl: string;
  /** Undefined if a hosted project has the database. */
  owner: Pool | undefined;
  /** Whether the queue's worker runs jobs. */
  queueRuns: () => boolean;
  /** Whether the server stops. */
  isStopping: () => boolean;
}

/** Tells apart the servers behind one address, and a server from its successor. */
const instance = randomBytes(8).toString("hex");

/** `/healthz` tells about this process, `/readyz` also about what it needs (docs/protocol.md#health). */
export async function healthRoutes(app: FastifyInstance, { siteUrl, owner, queueRuns, isStopping }: HealthOptions) {
  const siteHost = new URL(siteUrl).hostname;
  const readiness = owner && watchReadiness(owner, queueRuns);
  app.addHook("onClose", () => readiness?.close());

  app.get("/healthz", async (request) => ({
    status: "ok",
    instance,
    proxy: proxyOf(request),
    host: namedHost(request) === siteHost ? "site" : "other",
  }));

  app.get("/readyz", async (_request, reply) => {
    const checks = isStopping() ? { server: "stopping" } : ((await readiness?.check()) ?? {});
    const status = statusOf(checks);
    if (status === "not ready") reply.code(503).header("retry-after", "1");
    return { status, checks };
  });
}

/** The host name in the header `Host`, without a port; undefined if there is none. */
export function namedHost({ headers }: FastifyRequest): string | undefined {
  return URL.parse(`http://${headers.host ?? ""}`)?.hostname;
}

/** Paths that a machine asks every few seconds. */
export function isHealthPath(path: string): boolean {
  return path === "/healthz" || path === "/readyz";
}

/**
 * A proxy stops using a server that is not ready, so only what makes requests fail counts. Late mails do not: they
 * would take out all servers of a database at once. Nor does a newer database, which would take out the old servers
 * during an upgrade.
 */
function statusOf(checks: Partial<Checks> & { server?: string }): "ready" | "degraded" | "not ready" {
  const { server = "ok", database = "ok", migrations = "ok", queue = "ok" } = checks;
  if (server !== "ok" || database !== "ok" || migrations === "missing" || queue === "stopped") return "not ready";
  return migrations === "ok" && queue === "ok" ? "ready" : "degraded";
}

/** In these a CDN or proxy names its visitor. */
const visitorHeaders = ["cf-connecting-ip", "true-client-ip", "fastly-client-ip", "x-real-ip"];

/** Whether the request came through a proxy, and whether TRUST_PROXY names the one that sent it and those before it. */
function proxyOf({ headers, ips = [] }: FastifyRequest): "none" | "trusted" | "behind another" | "unknown" {
  const forwarded = headers["x-forwarded-for"];
  if (forwarded === undefined) return "none";
  // Fastify lists the addresses up to the first one that is not trusted, so there are two if the sender is trusted.
  if (ips.length < 2) return "unknown";
  const named = visitorHeaders.flatMap((name) => headers[name] ?? []);
  const isBehindAnother = `${forwarded}`.split(",").length >= ips.length || named.some((ip) => !ips.includes(ip));
  return isBehindAnother ? "behind another" : "trusted";
}
