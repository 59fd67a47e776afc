import type { FastifyRequest } from "fastify";
import { repeatable } from "#server/database/reconnect";
import { networkOf } from "#server/http/ip-address";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { queryText } from "../request-input.ts";
import { type RateLimit, takeToken } from "./rate-limiter.ts";

const oneInTenSeconds = { burst: 30, secondsPerToken: 10 };
const oneInTwoSeconds = { burst: 30, secondsPerToken: 2 };

/**
 * The same limits as upstream's. Upstream applies them only behind a proxy that sends the client's IP address in a
 * header; this server always applies them (docs/protocol.md#request-limits).
 */
const limits: Readonly<Record<string, RateLimit & { bucket: string }>> = {
  "POST /signup": { bucket: "signup", ...oneInTenSeconds },
  "POST /recover": { bucket: "recover", ...oneInTenSeconds },
  "POST /resend": { bucket: "resend", ...oneInTenSeconds },
  "PUT /user": { bucket: "user", ...oneInTenSeconds },
  "GET /verify": { bucket: "verify", ...oneInTenSeconds },
  "POST /verify": { bucket: "verify", ...oneInTenSeconds },
  "POST /token": { bucket: "token", ...oneInTwoSeconds },
  // Refreshes have their own bucket. Otherwise an attacker who guesses passwords from a shared network would use up the
  // limit, and the other people in the network could no longer refresh their sessions.
  "POST /token refresh": { bucket: "refresh", ...oneInTwoSeconds },
};

/** Runs before the body is read. Throws 429 for a network that sends too many requests. */
export async function limitRequests(request: FastifyRequest, prefix: string, context: AuthContext) {
  const limit = limits[endpointOf(request, prefix)];
  if (!context.limits || !limit) return;

  const retryAfterSeconds = await takeToken(
    repeatable(context.owner),
    `${limit.bucket} from ${networkOf(request.ip)}`,
    limit,
    context.now(),
  );
  if (retryAfterSeconds > 0) throw refusals.rateLimited(retryAfterSeconds);
}

function endpointOf(request: FastifyRequest, prefix: string): string {
  const endpoint = `${request.method} ${request.routeOptions.url?.slice(prefix.length)}`;
  const isRefresh = endpoint === "POST /token" && queryText(request, "grant_type") === "refresh_token";
  return isRefresh ? `${endpoint} refresh` : endpoint;
}
