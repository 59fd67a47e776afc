import type { FastifyRequest } from "fastify";
import { repeatable } from "#server/database/reconnect";
import { networkOf } from "#server/http/client-network";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { queryText } from "../request-input.ts";
import { type RateLimit, takeToken } from "./rate-limiter.ts";

const fiveMinutes = 5 * 60;
const seldom = { burst: 30, secondsEach: fiveMinutes / 30 };
const often = { burst: 30, secondsEach: fiveMinutes / 150 };

/** As upstream (protocol section 3), and stricter in one thing: they hold without a proxy that names the client. */
const limits: Readonly<Record<string, RateLimit & { bucket: string }>> = {
  "POST /signup": { bucket: "signup", ...seldom },
  "POST /recover": { bucket: "recover", ...seldom },
  "POST /resend": { bucket: "resend", ...seldom },
  "PUT /user": { bucket: "user", ...seldom },
  "GET /verify": { bucket: "verify", ...seldom },
  "POST /verify": { bucket: "verify", ...seldom },
  "POST /token": { bucket: "token", ...often },
  // Apart from the passwords: whoever is signed in must not be signed out by somebody who guesses from their office.
  "POST /token refresh": { bucket: "refresh", ...often },
};

/** Before the body is read: throws 429 for a network that asks too often. */
export async function limitRequests(request: FastifyRequest, prefix: string, parts: AuthContext) {
  const limit = limits[endpointOf(request, prefix)];
  if (!parts.limits || !limit) return;

  const missingSeconds = await takeToken(
    repeatable(parts.owner),
    `${limit.bucket} from ${networkOf(request.ip)}`,
    limit,
    parts.now(),
  );
  if (missingSeconds > 0) throw refusals.rateLimited(missingSeconds);
}

function endpointOf(request: FastifyRequest, prefix: string): string {
  const endpoint = `${request.method} ${request.routeOptions.url?.slice(prefix.length)}`;
  const isRefresh = endpoint === "POST /token" && queryText(request, "grant_type") === "refresh_token";
  return isRefresh ? `${endpoint} refresh` : endpoint;
}
