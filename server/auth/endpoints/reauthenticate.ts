import type { FastifyInstance } from "fastify";
import { inTransaction } from "#server/database/transaction";
import { queueAccountMail } from "../account-mail/queue-account-mail.ts";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { admitOwnMail, requireMailRequest } from "../limits/account-mail-limits.ts";
import { refusals } from "../refusals.ts";
import { lockCaller, requireUser } from "../sessions/require-user.ts";
import { changeUser } from "../users.ts";

/** GET /reauthenticate mails a code for a change of the password (docs/protocol.md#reauthentication). */
export function reauthenticate(app: FastifyInstance, context: AuthContext) {
  app.get("/reauthenticate", { exposeHeadRoute: false }, async (request) => {
    const caller = await requireUser(request, context);
    if (!caller.user.email_confirmed_at) throw refusals.unverifiedAddress();

    const now = context.now();
    const { ip } = request;
    const mail = { kind: "reauthentication", ip } as const;
    await requireMailRequest(context, mail, now);
    await inTransaction(context.owner, async (db) => {
      const { user } = await lockCaller(db, caller, context);
      const { email } = user;
      await admitOwnMail(db, context, { ...mail, user, addresses: [email] }, now);
      await changeUser(db, user, { reauthentication_sent_at: now }, now);
      await writeAuditLog(db, { action: "user_reauthenticate_requested", user, at: now, ip });
      await queueAccountMail(db, { kind: "reauthenticate", email, redirectTo: "", requestedAt: now });
    });
    return {};
  });
}
