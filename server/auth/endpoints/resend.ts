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

const types = ["signup", "email_change"];

const bodySchema = z.object({ email: text, phone: text, type: text, code_challenge: text });

/**
 * POST /resend (docs/protocol.md#recovery-and-resend). Every address gets the same answer: even a 429 would reveal that
 * the address was used within the last minute. The request does not check for an account. It queues a job for every
 * address, and the job sends no mail to an address that needs none.
 */
export function resend(app: FastifyInstance, context: AuthContext) {
  app.post("/resend", async (request) => {
    const body = readBody(request, bodySchema);
    refusePkce(body);
    if (body.phone !== "") throw refusals.noPhoneSignIns(400);
    if (!types.includes(body.type)) throw refusals.unknownMailType();
    if (body.email.trim() === "") throw refusals.noResendAddress();
    const email = readEmailAddress(body.email);
    const redirectTo = readRedirectTarget(request, context).href;

    const isSignUp = body.type === "signup";
    const subject = { mail: isSignUp ? "sign-up" : "email-change", ip: request.ip, email };
    await requireLimits(context, repeatable(context.owner), ["mail requests"], subject);
    await inTransaction(context.owner, async (db) => {
      if (await takeLimits(context, db, ["repeated mail requests"], subject)) return;
      const kind = isSignUp ? "confirm-address" : "change-email";
      const { limitsAreOn: isLimited, now } = context;
      await queueAccountMail(db, { kind, email, redirectTo, requestedAt: now(), isLimited });
    });
    return {};
  });
}
