import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import { z } from "zod";
import { repeatable } from "#backend/database/reconnect";
import { type Database, inTransaction } from "#backend/database/transaction";
import { fillBuckets } from "#backend/limits/rate-limiter";
import { writeAuditLog } from "../audit-log.ts";
import type { Answer, AuthContext, Endpoints } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { readBody, text } from "../request-input.ts";
import { requireLimits } from "../require-limits.ts";
import { removeRecoveryCodes } from "../second-factor/factors.ts";
import { queueNotice, raiseByCode } from "../second-factor/raise-session.ts";
import { lockSignedIn, ofUser, type SignedIn } from "../sessions/require-user.ts";
import { hashOf } from "../tokens/random-tokens.ts";
import { hasSecondFactor, type User } from "../users.ts";

const verifySchema = z.object({ code: text });

/** Everything under /factors/recovery-codes (docs/protocol.md#recovery-codes). */
export const recoveryCodes: Endpoints = {
  "GET /factors/recovery-codes": ofUser(describe),
  "POST /factors/recovery-codes": generate(requireNoCodes),
  "POST /factors/recovery-codes/regenerate": generate(requireCodes),
  "DELETE /factors/recovery-codes": ofUser(remove),
  "POST /factors/recovery-codes/verify": ofUser(verify),
};

const type = "recovery_code";
const codesInSet = 10;

/** Crockford's base32: no i, l, o and u, which look like other characters or make words. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const characters = 16;

/** What all answers about the codes of an account have. They are no factor of their own, so their id is the account's. */
function setOf(user: User) {
  return { id: user.id, type, total: codesInSet };
}

async function describe(_request: FastifyRequest, { user }: SignedIn, { owner }: AuthContext) {
  const remaining = await countCodes(repeatable(owner), user);
  requireCodes(remaining);
  return { ...setOf(user), remaining };
}

/** The new codes are nowhere stored in the clear; the old ones end. */
function generate(requireState: (remaining: number) => void): Answer {
  return ofUser(async ({ ip }, signedIn, context) => {
    const codes = Array.from({ length: codesInSet }, newCode);
    await changeSet(context, signedIn, async (db, user) => {
      requireState(await countCodes(db, user));
      await writeAuditLog(db, { action: "recovery_codes_generated", user, ip });
      await removeRecoveryCodes(db, user);
      const sql =
        "insert into auth.mfa_recovery_codes (user_id, code_hash, created_at) select $1, unnest($2::bytea[]), now()";
      await db.query(sql, [user.id, codes.map(hashOf)]);
    });
    return { ...setOf(signedIn.user), friendly_name: "Recovery codes", codes };
  });
}

async function remove({ ip }: FastifyRequest, signedIn: SignedIn, context: AuthContext) {
  await changeSet(context, signedIn, async (db, user) => {
    requireCodes(await countCodes(db, user));
    const traits = { factor_type: type };
    await writeAuditLog(db, { action: "factor_unenrolled", user, traits, ip });
    await removeRecoveryCodes(db, user);
  });
  return { id: signedIn.user.id };
}

async function countCodes(db: Database, user: User): Promise<number> {
  const sql = "select count(*)::int as codes from auth.mfa_recovery_codes where user_id = $1";
  const { rows } = await db.query<{ codes: number }>(sql, [user.id]);
  return rows[0]?.codes ?? 0;
}

function requireNoCodes(remaining: number) {
  if (remaining > 0) throw refusals.recoveryCodesExist();
}

function requireCodes(remaining: number) {
  if (remaining === 0) throw refusals.noSuchFactor();
}

/** Changes the codes of an account that has a second factor, for a session that has used it. */
function changeSet(
  context: AuthContext,
  signedIn: SignedIn,
  change: (db: ClientBase, user: User) => Promise<void>,
): Promise<void> {
  return inTransaction(context.owner, async (db) => {
    const { user, claims } = await lockSignedIn(db, signedIn, context);
    if (claims.aal !== "aal2" || !hasSecondFactor(user)) throw refusals.needsSecondFactor.forRecoveryCodes();
    return change(db, user);
  });
}

/** Raises the session to aal2 with a recovery code, in place of a code of the authenticator app. */
async function verify(request: FastifyRequest, signedIn: SignedIn, context: AuthContext) {
  const { ip } = request;
  const { code } = readBody(request, verifySchema);
  // A recovery code cannot be guessed. Its attempts are those of the network, so that nobody else can use them up.
  const guess = { user: signedIn.user.id, ip };
  await requireLimits(context, repeatable(context.owner), ["recovery codes"], guess);
  return raiseByCode(request, signedIn, context, {
    async spend(db, user) {
      // Of several requests at once, one uses the code.
      const sql = "delete from auth.mfa_recovery_codes where user_id = $1 and code_hash = $2";
      const { rowCount } = await db.query(sql, [user.id, hashOf(readCode(code))]);
      if (!rowCount) return undefined;
      await fillBuckets(db, "recovery codes", guess);
      const left = await countCodes(db, user);
      await writeAuditLog(db, { action: "recovery_code_used", user, traits: { left }, ip });
      await queueNotice(db, "recovery-code-used", user, request, context);
      return { method: "mfa/recovery_code", user };
    },
    failure: { reason: "wrong_recovery_code" },
    refuse: refusals.wrongRecoveryCode,
  });
}

function newCode(): string {
  return Array.from(randomBytes(characters), (byte) => alphabet[byte % alphabet.length]).join("");
}

/** Forgives how a person writes a code: capital letters, spaces, dashes, and letters that look like a digit. */
function readCode(typed: string): string {
  return typed.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
}
