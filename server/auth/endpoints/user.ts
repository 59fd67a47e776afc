import type { FastifyInstance } from "fastify";
import { repeatable } from "#server/database/reconnect";
import type { AuthParts } from "../auth-context.ts";
import { requireUser } from "../sessions/authenticate.ts";
import { noteUse, placeOf } from "../sessions/sessions.ts";
import { userJson } from "../user-json.ts";

/** GET /user (protocol section 2.6). */
export function user(app: FastifyInstance, parts: AuthParts) {
  app.get("/user", async (request) => {
    const { user, claims } = await requireUser(request, parts);
    await noteUse(repeatable(parts.owner), claims.session_id, placeOf(request), parts.now());
    return userJson(user);
  });
}
