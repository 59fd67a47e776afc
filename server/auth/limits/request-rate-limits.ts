import type { FastifyRequest } from "fastify";
import { repeatable } from "#server/database/reconnect";
import { networkOf, wideNetworkOf } from "#server/http/ip-address";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { queryText } from "../request-input.ts";
import { type Database, type RateLimit, takeToken, takeTokens } from "./rate-limiter.ts";

const oneInTenSeconds = { burst: 30, secondsPerToken: 10 };
const oneInFourSeconds = { burst: 30, secondsPerToken: 4 };
const oneInTwoSeconds = { burst: 30, secondsPerToken: 2 };

interface RequestLimit extends RateLimit {
  bucket: string;
}

/**
 * The same limits as upstream's, which has none for the enrolment of factors. Upstream applies them only behind a proxy
 * that sends the client's IP address in a header; this server always applies them (docs/protocol.md#request-limits).
 */
const limits: Readonly<Record<string, RequestLimit>> = {
  "POST /signup": { bucket: "signup", ...oneInTenSeconds },
  "POST /recover": { bucket: "recover", ...oneInTenSeconds },
  "POST /resend": { bucket: "resend", ...oneInTenSeconds },
  "PUT /user": { bucket: "user", ...oneInTenSeconds },
  "GET /verify": { bucket: "verify", ...oneInTenSeconds },
  "POST /verify": { bucket: "verify", ...oneInTenSeconds },
  "POST /factors": { bucket: "factors", ...oneInTenSeconds },
  "POST /factors/:id/challenge": { bucket: "factor challenge", ...oneInFourSeconds },
  "POST /factors/:id/verify": { bucket: "factor verify", ...oneInFourSeconds },
  "POST /factors/recovery-codes": { bucket: "factors", ...oneInTenSeconds },
  "POST /factors/recovery-codes/regenerate": { bucket: "factors", ...oneInTenSeconds },
  "POST /factors/recovery-codes/verify": { bucket: "recovery code verify", ...oneInFourSeconds },
  "POST /token": { bucket: "token", ...oneInTwoSeconds },
  // Refreshes have their own bucket. Otherwise an attacker who guesses passwords from a shared network would use up the
  // limit, and the other people in the network could no longer refresh their sessions.
  "POST /token refresh": { bucket: "refresh", ...oneInTwoSeconds },
};

/**
 * A wide network has four times the requests. Many people may share it, but one customer of a provider may have all 2^16
 * networks in it, so a limit per network alone would limit no attacker.
 */
const wideNetworkFactor = 4;

/**
 * Runs before the body is read. Throws 429 for a network that sends too many requests. A network counts its requests with
 * its share of the connections only: otherwise thousands of them, though refused, would delay every other sign-in.
 */
export async function limitRequests(request: FastifyRequest, prefix: string, context: AuthContext) {
  const limit = limits[endpointOf(request, prefix)];
  if (!context.limits || !limit) return;

  await context.floodLimits.withConnection(
    request,
    () => takeRequest(request.ip, limit, context),
    refusals.rateLimited,
  );
}

/**
 * Throws 429 for a session that refreshes or changes its account too often, from however many networks. Each session
 * counts apart, so that a thief of the password uses up nothing of its owner's.
 */
export async function limitSession(db: Database, sessionId: string, { limits, now }: AuthContext) {
  if (!limits) return;
  const retryAfterSeconds = await takeToken(db, `requests of session ${sessionId}`, oneInTenSeconds, now());
  if (retryAfterSeconds > 0) throw refusals.rateLimited(retryAfterSeconds);
}

async function takeRequest(ip: string, { bucket, burst, secondsPerToken }: RequestLimit, context: AuthContext) {
  const { owner, now } = context;
  const ofNetwork = { key: `${bucket} from ${networkOf(ip)}`, limit: { burst, secondsPerToken } };
  const wide = { burst: burst * wideNetworkFactor, secondsPerToken: secondsPerToken / wideNetworkFactor };
  const ofWideNetwork = { key: `${bucket} from wide ${wideNetworkOf(ip)}`, limit: wide };
  const retryAfterSeconds = await takeTokens(repeatable(owner), [ofNetwork, ofWideNetwork], now());
  if (retryAfterSeconds > 0) throw refusals.rateLimited(retryAfterSeconds);
}

function endpointOf(request: FastifyRequest, prefix: string): string {
  const endpoint = `${request.method} ${request.routeOptions.url?.slice(prefix.length)}`;
  const isRefresh = endpoint === "POST /token" && queryText(request, "grant_type") === "refresh_token";
  return isRefresh ? `${endpoint} refresh` : endpoint;
}
