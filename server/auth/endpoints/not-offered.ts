import type { FastifyInstance } from "fastify";
import { refusals } from "../refusals.ts";

/** What the client can ask for and this server does not do (protocol sections 2.9 and 2.10). */
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

/** Says so, instead of leaving the caller with an address that does not exist. */
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
