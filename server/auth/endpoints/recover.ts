import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { queueAccountMail } from "../account-mail/queued-mails.ts";
import { readRedirectTarget } from "../account-mail/redirect-target.ts";
import type { AuthContext } from "../auth-context.ts";
import { readEmailAddress } from "../email-address.ts";
import { takeMailQuota } from "../limits/mail-quota.ts";
import { takeToken } from "../limits/rate-limiter.ts";
import { refusals } from "../refusals.ts";
import { readBody, text } from "../request-input.ts";

const bodySchema = z.object({ email: text });

/** Each mail ends the link before it, so a stranger who asks every minute must not leave every link a minute only. */
const mailsToAddress = { burst: 5, secondsEach: 15 * 60 };

/**
 * POST /recover (protocol section 2.9). As with /resend, nobody looks here whether there is an account. The minute between
 * two mails is one of its own: "you already have an account" says how to come back here, and may have left just now.
 */
export function recover(app: FastifyInstance, context: AuthContext) {
  app.post("/recover", async (request) => {
    const body = readBody(request, bodySchema);
    if (body.email.trim() === "") throw refusals.noRecoveryAddress();
    const email = readEmailAddress(body.email);
    const redirectTo = readRedirectTarget(request, context).href;

    const now = context.now();
    // As quietly as the minute, whether there is an account or not.
    if (
      context.limits &&
      (await takeToken(repeatable(context.owner), `recovery mails to ${email}`, mailsToAddress, now)) > 0
    )
      return {};
    await inTransaction(context.owner, async (db) => {
      const { missingSeconds } = await takeMailQuota(db, context, `recovery of ${email}`, now);
      if (missingSeconds === 0) await queueAccountMail(db, { kind: "recover", email, redirectTo, askedAt: now });
    });
    return {};
  });
}
