import type { FastifyRequest } from "fastify";
import { repeatable } from "#backend/database/reconnect";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { queryText } from "../request-input.ts";
import { requireLimits } from "./rate-limiter.ts";

type RequestLimit = "account requests" | "second factor requests" | "token requests";

/**
 * Which endpoints are limited, and which are counted together (docs/protocol.md#limits). Upstream applies the
 * same limits only behind a proxy that sends the client's IP address in a header.
 */
const endpoints: Readonly<Record<string, readonly [endpoint: string, RequestLimit]>> = {
  "POST /signup": ["signup", "account requests"],
  "POST /recover": ["recover", "account requests"],
  "POST /resend": ["resend", "account requests"],
  "PUT /user": ["user", "account requests"],
  "GET /verify": ["verify", "account requests"],
  "POST /verify": ["verify", "account requests"],
  "POST /factors": ["factors", "account requests"],
  "POST /factors/recovery-codes": ["factors", "account requests"],
  "POST /factors/recovery-codes/regenerate": ["factors", "account requests"],
  "POST /factors/:id/challenge": ["factor challenge", "second factor requests"],
  "POST /factors/:id/verify": ["factor verify", "second factor requests"],
  "POST /factors/recovery-codes/verify": ["recovery code verify", "second factor requests"],
  "POST /token": ["token", "token requests"],
  // Counted separately: an attacker who guesses passwords from a shared network must not keep others there from
  // refreshing.
  "POST /token refresh": ["refresh", "token requests"],
};

/**
 * Runs before the body is read. Counting uses only the network's share of the connections: otherwise thousands of
 * refused requests would delay the sign-ins of others.
 */
export async function limitRequests(request: FastifyRequest, prefix: string, context: AuthContext) {
  const limited = endpoints[endpointOf(request, prefix)];
  if (!limited || !context.limitsAreOn) return;

  const [endpoint, limit] = limited;
  const names = [limit, `${limit} of a wide network`] as const;
  const take = () => requireLimits(context, repeatable(context.owner), names, { endpoint, ip: request.ip });
  await context.floodLimits.withConnection(request, take, refusals.rateLimited);
}

function endpointOf(request: FastifyRequest, prefix: string): string {
  const endpoint = `${request.method} ${request.routeOptions.url?.slice(prefix.length)}`;
  const isRefresh = endpoint === "POST /token" && queryText(request, "grant_type") === "refresh_token";
  return isRefresh ? `${endpoint} refresh` : endpoint;
}
