import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { queueAccountMail } from "../account-mail/queue-account-mail.ts";
import { readRedirectTarget } from "../account-mail/redirect-target.ts";
import type { AuthContext } from "../auth-context.ts";
import { readEmailAddress } from "../email-address.ts";
import { recoveryMailLimit, takeMailQuota } from "../limits/account-mail-limits.ts";
import { takeToken } from "../limits/rate-limiter.ts";
import { refusals } from "../refusals.ts";
import { readBody, text } from "../request-input.ts";

const bodySchema = z.object({ email: text });

/**
 * POST /recover (docs/protocol.md#recovery-and-resend). Like /resend, the request does not look for an account; the job
 * does. The minute between two recovery mails is counted apart from other mails, because the mail "you already have an
 * account" sends people here.
 */
export function recover(app: FastifyInstance, context: AuthContext) {
  app.post("/recover", async (request) => {
    const body = readBody(request, bodySchema);
    if (body.email.trim() === "") throw refusals.noRecoveryAddress();
    const email = readEmailAddress(body.email);
    const redirectTo = readRedirectTarget(request, context).href;

    const now = context.now();
    // Answer as if a mail were sent, here and during the minute between two mails: a 429 would reveal that somebody
    // used the address.
    if (
      context.limits &&
      (await takeToken(repeatable(context.owner), `recovery mails to ${email}`, recoveryMailLimit, now)) > 0
    )
      return {};
    await inTransaction(context.owner, async (db) => {
      const retryAfterSeconds = await takeMailQuota(db, context, `recovery of ${email}`, now);
      if (retryAfterSeconds === 0) await queueAccountMail(db, { kind: "recover", email, redirectTo, requestedAt: now });
    });
    return {};
  });
}
