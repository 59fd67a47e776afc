import type { FastifyInstance } from "fastify";
import { requireUser } from "../bearer.ts";
import type { AuthParts } from "../parts.ts";
import { userJson } from "../user-json.ts";

/** GET /user (protocol section 2.6). */
export function user(app: FastifyInstance, parts: AuthParts) {
  app.get("/user", async (request) => userJson((await requireUser(request, parts)).user));
}
