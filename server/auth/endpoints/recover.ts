import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { queueAccountMail } from "../account-mail/queue-account-mail.ts";
import { readRedirectTarget } from "../account-mail/redirect-target.ts";
import type { AuthContext } from "../auth-context.ts";
import { readEmailAddress } from "../email-address.ts";
import { requireLimits, takeLimits } from "../limits/rate-limiter.ts";
import { refusals } from "../refusals.ts";
import { readBody, refusePkce, text } from "../request-input.ts";

const bodySchema = z.object({ email: text, code_challenge: text });

/**
 * POST /recover (docs/protocol.md#recovery-and-resend). As in /resend, the handler does not look for an account; the
 * job does that later. Other mails do not start the one-minute cooldown of recovery mails: the mail "you already have
 * an account" sends people here, and they must not have to wait.
 */
export function recover(app: FastifyInstance, context: AuthContext) {
  app.post("/recover", async (request) => {
    const body = readBody(request, bodySchema);
    refusePkce(body);
    if (body.email.trim() === "") throw refusals.noRecoveryAddress();
    const email = readEmailAddress(body.email);
    const redirectTo = readRedirectTarget(request, context).href;

    const subject = { mail: "recovery", ip: request.ip, email };
    await requireLimits(context, repeatable(context.owner), ["mail requests"], subject);
    await inTransaction(context.owner, async (db) => {
      // During the cooldown, answer as if a mail were sent, as after every other request.
      if (await takeLimits(context, db, ["repeated mail requests"], subject)) return;
      const { limitsAreOn: isLimited, now } = context;
      await queueAccountMail(db, { kind: "recover", email, redirectTo, requestedAt: now(), isLimited });
    });
    return {};
  });
}
