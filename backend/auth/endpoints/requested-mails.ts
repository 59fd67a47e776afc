import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { repeatable } from "#backend/database/reconnect";
import { inTransaction } from "#backend/database/transaction";
import { takeLimits } from "#backend/limits/rate-limiter";
import type { LimitedMail } from "../account-mail/mail-limits.ts";
import { mailsOfChange, type QueuedMail } from "../account-mail/queued-mail.ts";
import { readRedirectTarget } from "../account-mail/redirect-target.ts";
import type { AuthContext, Endpoints } from "../auth-context.ts";
import { requireEmail } from "../normalize-email.ts";
import { refusals } from "../refusals.ts";
import { readBody, refusePkce, text } from "../request-input.ts";
import { requireLimits } from "../require-limits.ts";

const bodySchema = z.object({ email: text, phone: text, type: text, code_challenge: text });

/**
 * `mail` is the name in the limits. Each has a cooldown of its own: the mail "you already have an account" sends people
 * to /recover, and they must not have to wait.
 */
type MailRequest = { kinds: readonly QueuedMail["kind"][]; mail: LimitedMail };
const recovery: MailRequest = { kinds: ["recover"], mail: "recovery" };
const resent = new Map<string, MailRequest>([
  ["signup", { kinds: ["confirm-address"], mail: "sign-up" }],
  ["email_change", { kinds: mailsOfChange, mail: "email-change" }],
]);

/** POST /recover and POST /resend (docs/protocol.md#recovery-and-resend). */
export const requestedMails: Endpoints = {
  async "POST /recover"(request, context) {
    const body = readBody(request, bodySchema);
    refusePkce(body);
    if (body.email.trim() === "") throw refusals.noRecoveryAddress();
    return requestMail(request, context, body.email, recovery);
  },

  async "POST /resend"(request, context) {
    const body = readBody(request, bodySchema);
    refusePkce(body);
    if (body.phone !== "") throw refusals.noPhones();
    const requested = resent.get(body.type);
    if (!requested) throw refusals.unknownMailType();
    if (body.email.trim() === "") throw refusals.noResendAddress();
    return requestMail(request, context, body.email, requested);
  },
};

/**
 * Every address gets the same answer: even a 429 would reveal that the address was used within the last minute. The
 * request looks for no account and queues a job, which sends no mail to an address that needs none.
 */
async function requestMail(
  request: FastifyRequest,
  context: AuthContext,
  address: string,
  { kinds, mail }: MailRequest,
) {
  const { owner, limitsAreOn: isLimited, queueMail } = context;
  const email = requireEmail(address);
  const redirectTo = readRedirectTarget(request, context).href;
  const subject = { mail, ip: request.ip, email };
  await requireLimits(context, repeatable(owner), ["mail requests"], subject);
  await inTransaction(owner, async (db) => {
    // During the cooldown, answer as if a mail were sent, as after every other request.
    if (await takeLimits(context, db, ["repeated mail requests"], subject)) return;
    for (const kind of kinds) await queueMail(db, { kind, email, redirectTo, isLimited });
  });
  return {};
}
