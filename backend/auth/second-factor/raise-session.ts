import type { FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import { inTransaction } from "#backend/database/transaction";
import type { Refusal } from "#backend/http/refusal";
import type { NoticeKind } from "../account-mail/queued-mail.ts";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { lockSignedIn, type SignedIn } from "../sessions/require-user.ts";
import { methodNow, type OpenSession, type Session, sessionColumns } from "../sessions/session-store.ts";
import { sessionJson } from "../tokens/access-token.ts";
import { familyHashOf, hashOf, newRefreshToken } from "../tokens/random-tokens.ts";
import type { User } from "../users.ts";

interface Proof {
  user: User;
  method: "totp" | "mfa/recovery_code";
  /** The factor with which the session falls back to aal1. Without one, it does so with the account's last factor. */
  factorId?: string;
}

interface Verification {
  /** Uses up the code. Returns undefined if it is wrong. The account is locked. */
  spend: (db: ClientBase, user: User) => Promise<Proof | undefined>;
  failure: Record<string, unknown>;
  refuse: () => Refusal;
}

/** Raises the session to aal2 with a code, and answers with the session. */
export async function raiseByCode(
  { ip }: FastifyRequest,
  signedIn: SignedIn,
  context: AuthContext,
  { spend, failure: traits, refuse }: Verification,
) {
  const opened = await inTransaction(context.owner, async (db) => {
    const { user, claims } = await lockSignedIn(db, signedIn, context);
    const proof = await spend(db, user);
    if (proof) return raiseSession(db, claims.session_id, proof);
    await writeAuditLog(db, { action: "verification_attempted", user, traits, ip });
    return undefined;
  });
  // Throw only after the transaction: the entry of the log must be committed.
  if (!opened) throw refuse();
  return sessionJson(context, opened);
}

/** Mails the owner what happened to the second factor, and the request that did it. */
export function queueNotice(
  db: ClientBase,
  kind: NoticeKind,
  user: User,
  { ip }: FastifyRequest,
  context: AuthContext,
) {
  const time = `${context.now().toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const facts = [["IP address", ip] as const, ["Time", time] as const];
  return context.queueMail(db, { kind, email: user.email, facts });
}

/**
 * All other sessions of the account that have not used a second factor end, as upstream does it. The session gets a
 * refresh token of a new family: a copy of an earlier one, which a thief of the password may hold, must not lead to a
 * session of aal2. Throws if the session has ended. The caller must have locked the account.
 */
async function raiseSession(db: ClientBase, id: string, { user, method, factorId }: Proof): Promise<OpenSession> {
  // A separate statement, because a statement sees only what was committed before it began: the next one must also
  // remove the token of a refresh that holds this lock now.
  await db.query("select from auth.sessions where id = $1 for update", [id]);
  const refreshToken = newRefreshToken();
  const { rows } = await db.query<Session>(
    `with raised as (
       update auth.sessions
       set aal = 'aal2', factor_id = $2, family_hash = $3, refreshed_at = now(),
         amr = jsonb_build_array(${methodNow("$4")}) || jsonb_path_query_array(amr, '$[*] ? (@.method != $newest)',
           jsonb_build_object('newest', $4::text))
       where id = $1 returning ${sessionColumns}
     ), ended_tokens as (
       delete from auth.refresh_tokens where session_id = $1
     ), token as (
       insert into auth.refresh_tokens (session_id, token_hash, created_at) select id, $5, now() from raised
     ), ended_sessions as (
       delete from auth.sessions where user_id = (select user_id from raised) and id <> $1 and aal = 'aal1'
     )
     select * from raised`,
    [id, factorId, familyHashOf(refreshToken), method, hashOf(refreshToken)],
  );
  const [session] = rows;
  if (!session) throw refusals.noSuchSession();
  return { user, session, refreshToken };
}
