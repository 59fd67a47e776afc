import type { FastifyInstance } from "fastify";
import type { AuthContext } from "../auth-context.ts";
import { signIn } from "../grants/password-grant.ts";
import { refresh } from "../grants/refresh-token-grant.ts";
import { refusals } from "../refusals.ts";
import { queryText } from "../request-input.ts";

/** POST /token: sign-in and refresh (docs/protocol.md#password-sign-in, docs/protocol.md#refresh-tokens). */
export function token(app: FastifyInstance, context: AuthContext) {
  app.post("/token", (request) => {
    const grant = queryText(request, "grant_type");
    if (grant === "password") return signIn(request, context);
    if (grant === "refresh_token") return refresh(request, context);
    throw refusals.unknownGrant();
  });
}
