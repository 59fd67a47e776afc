import type { FastifyInstance } from "fastify";
import { refusals } from "../refusals.ts";

/** Requests of Supabase's client for features that this server lacks (docs/protocol.md#auth-features-not-offered). */
const features = [
  ["GET", "/reauthenticate", "reauthentication"],
  ["POST", "/otp", "sign-in by mailed link"],
  ["POST", "/magiclink", "sign-in by mailed link"],
  ["POST", "/factors", "a second factor"],
  ["POST", "/factors/:id/challenge", "a second factor"],
  ["POST", "/factors/:id/verify", "a second factor"],
  ["DELETE", "/factors/:id", "a second factor"],
  ["GET", "/authorize", "sign-in through other providers"],
  ["GET", "/callback", "sign-in through other providers"],
] as const;

/** Refuses these requests with an error that names the missing feature. A plain 404 would not name it. */
export function notOffered(app: FastifyInstance) {
  for (const [method, url, what] of features) {
    app.route({
      method,
      url,
      handler: () => {
        throw refusals.notOffered(what);
      },
    });
  }
}
