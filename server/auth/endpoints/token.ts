import type { FastifyInstance } from "fastify";
import { signIn } from "../grants/password.ts";
import { refresh } from "../grants/refresh-token.ts";
import type { AuthParts } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { queryText } from "../request/query-text.ts";

/** POST /token: one address for two things (protocol sections 2.3 and 2.4). */
export function token(app: FastifyInstance, parts: AuthParts) {
  app.post("/token", (request) => {
    const grant = queryText(request, "grant_type");
    if (grant === "password") return signIn(request, parts);
    if (grant === "refresh_token") return refresh(request, parts);
    throw refusals.unknownGrant();
  });
}
