import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { inTransaction } from "#server/database/transaction";
import { Refusal } from "#server/refusal";
import { audit } from "../audit.ts";
import { readBody, text } from "../body.ts";
import { spendConfirmation } from "../confirmation.ts";
import type { AuthParts } from "../parts.ts";
import { queryText } from "../query.ts";
import { readRedirectTarget, withFragment } from "../redirect-target.ts";
import { refusals } from "../refusals.ts";
import { type OpenSession, openSession, placeOf, sessionJson } from "../sessions.ts";
import { changeUser, findUser, isBanned } from "../users.ts";

/** The client says "email" for whatever a mail brought (protocol section 2.8). */
const confirming = ["signup", "email"];

const body = z.object({ type: text, token: text, token_hash: text, email: text, redirect_to: text });

/** GET /verify, where the link in a mail leads, and POST /verify, which a page calls (protocol sections 2.7 and 2.8). */
export function verify(app: FastifyInstance, parts: AuthParts) {
  // No HEAD: a program that only asks whether the link works must not spend it.
  app.get("/verify", { exposeHeadRoute: false }, async (request, reply) => {
    const type = queryText(request, "type");
    const token = queryText(request, "token") ?? queryText(request, "token_hash");
    if (!type) throw refusals.noLinkType();
    if (!token) throw refusals.noLinkToken();

    const target = readRedirectTarget(request, parts);
    const fragment = await confirm(request, parts, type, token).then(
      async (opened) => sessionFragment(parts, opened, type),
      errorFragment,
    );
    return reply.redirect(withFragment(target, fragment), 303);
  });

  app.post("/verify", async (request) => {
    const { type, token, token_hash, email, redirect_to } = readBody(request, body);
    if (!type) throw refusals.noLinkType();
    if (Boolean(token) === Boolean(token_hash)) throw refusals.noLinkToken();
    if (token_hash && (email || redirect_to)) throw refusals.tooMuchWithHash();
    // No mail of ours holds a code to type, so none can be right.
    if (token) throw refusals.spentCode();
    return sessionJson(parts, await confirm(request, parts, type, token_hash));
  });
}

/** Spends the token and signs its owner in. Whatever is wrong with it, the answer is the same. */
async function confirm(request: FastifyRequest, { owner, now }: AuthParts, type: string, token: string) {
  if (!confirming.includes(type)) throw refusals.spentLink();

  const at = now();
  return inTransaction(owner, async (db) => {
    const id = await spendConfirmation(db, token, at);
    const found = id && (await findUser(db, id));
    if (!found) throw refusals.spentLink();
    if (isBanned(found, at)) throw refusals.banned(403);

    const user = await changeUser(db, found, { email_confirmed_at: found.email_confirmed_at ?? at }, at);
    await audit(db, { action: "user_signedup", user, at, traits: { provider: "email" }, ip: request.ip });
    return openSession(db, { user, method: "otp", place: placeOf(request), now: at });
  });
}

async function sessionFragment(parts: AuthParts, opened: OpenSession, type: string): Promise<Record<string, string>> {
  const { user: _user, ...session } = await sessionJson(parts, opened);
  return { ...session, expires_at: `${session.expires_at}`, expires_in: `${session.expires_in}`, sb: "", type };
}

/** A person follows the link, so a "no" goes with them to the page; a fault of ours is answered like any other. */
function errorFragment(error: unknown): Record<string, string> {
  if (!(error instanceof Refusal)) throw error;
  return { error: "access_denied", error_code: error.code, error_description: error.message, sb: "" };
}
