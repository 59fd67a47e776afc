import type { FastifyInstance } from "fastify";
import { repeatable } from "#server/database/reconnect";
import type { AuthContext } from "../auth-context.ts";
import { requireUser } from "../sessions/authenticate.ts";
import { clientOf, recordSessionUse } from "../sessions/sessions.ts";
import { userJson } from "../user-json.ts";

/** GET /user (protocol section 2.6). */
export function user(app: FastifyInstance, context: AuthContext) {
  app.get("/user", async (request) => {
    const { user, claims } = await requireUser(request, context);
    await recordSessionUse(repeatable(context.owner), claims.session_id, clientOf(request), context.now());
    return userJson(user);
  });
}
