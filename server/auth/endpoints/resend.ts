import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { inTransaction } from "#server/database/transaction";
import { readBody, text } from "../body.ts";
import { mailConfirmation } from "../confirmation.ts";
import { readEmailAddress } from "../email-address.ts";
import { takeMailTurn } from "../mail-wait.ts";
import type { AuthParts } from "../parts.ts";
import { readRedirectTarget } from "../redirect-target.ts";
import { refusals } from "../refusals.ts";
import { lockUserByEmail } from "../users.ts";

const types = ["signup", "email_change"];

const body = z.object({ email: text, type: text });

/**
 * POST /resend (protocol section 2.9). Unknown, confirmed, waiting and mailed addresses all hear the same; even a 429
 * would tell that somebody had used the address within the last minute.
 */
export function resend(app: FastifyInstance, parts: AuthParts) {
  app.post("/resend", async (request) => {
    const wish = readBody(request, body);
    if (!types.includes(wish.type)) throw refusals.unknownMailType();
    if (wish.email.trim() === "") throw refusals.noResendAddress();
    const email = readEmailAddress(wish.email);
    const redirectTo = readRedirectTarget(request, parts.siteUrl);

    const now = parts.now();
    await inTransaction(parts.owner, async (db) => {
      const { missingSeconds } = await takeMailTurn(db, email, now);
      if (missingSeconds > 0 || wish.type !== "signup") return;
      const user = await lockUserByEmail(db, email);
      if (user && !user.email_confirmed_at) await mailConfirmation(db, parts, { user, redirectTo, now });
    });
    return {};
  });
}
