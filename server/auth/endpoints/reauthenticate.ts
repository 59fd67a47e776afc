import type { FastifyInstance } from "fastify";
import { inTransaction } from "#server/database/transaction";
import { queueAccountMail } from "../account-mail/queue-account-mail.ts";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { admitOwnMail, requireMailRequest } from "../limits/account-mail-limits.ts";
import { refusals } from "../refusals.ts";
import { requireUser } from "../sessions/require-user.ts";
import { changeUser, requireLockedUser } from "../users.ts";

/** GET /reauthenticate mails a code for a change of the password (docs/protocol.md#reauthentication). */
export function reauthenticate(app: FastifyInstance, context: AuthContext) {
  app.get("/reauthenticate", { exposeHeadRoute: false }, async (request) => {
    const { user } = await requireUser(request, context);
    if (!user.email_confirmed_at) throw refusals.unverifiedAddress();

    const now = context.now();
    const { ip } = request;
    const mail = { kind: "reauthentication", ip } as const;
    await requireMailRequest(context, mail, now);
    await inTransaction(context.owner, async (db) => {
      const current = await requireLockedUser(db, user);
      const { email } = current;
      await admitOwnMail(db, context, { ...mail, user: current, addresses: [email] }, now);
      await changeUser(db, current, { reauthentication_sent_at: now }, now);
      await writeAuditLog(db, { action: "user_reauthenticate_requested", user: current, at: now, ip });
      await queueAccountMail(db, { kind: "reauthenticate", email, redirectTo: "", requestedAt: now });
    });
    return {};
  });
}
