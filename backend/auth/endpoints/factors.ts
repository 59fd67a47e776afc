import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { repeatable } from "#backend/database/reconnect";
import { type Database, inTransaction } from "#backend/database/transaction";
import { fillBuckets, returnToken } from "#backend/limits/rate-limiter";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext, Endpoints } from "../auth-context.ts";
import { endEmailChange } from "../email-change.ts";
import { refusals } from "../refusals.ts";
import { readBody, text } from "../request-input.ts";
import { requireLimits } from "../require-limits.ts";
import {
  confirmFactor,
  type Factor,
  isUsableFactor,
  makeRoomForFactor,
  removeFactor,
  spendStep,
} from "../second-factor/factors.ts";
import { queueNotice, raiseByCode } from "../second-factor/raise-session.ts";
import { newTotp, stepOfCode } from "../second-factor/totp.ts";
import { lockSignedIn, ofUser, type SignedIn } from "../sessions/require-user.ts";
import { findUser, hasSecondFactor } from "../users.ts";

/** Every answer about an account repeats the names of its factors. */
const nameCharactersMax = 100;

const enrollSchema = z.object({ factor_type: text, friendly_name: text, issuer: text });
const verifySchema = z.object({ code: text });

const challengeSeconds = 300;

/** Everything under /factors, except recovery codes (docs/protocol.md#second-factor). */
export const factors: Endpoints = {
  "POST /factors": ofUser(enroll),
  "POST /factors/:id/challenge": ofUser(challenge),
  "POST /factors/:id/verify": ofUser(verify),
  "DELETE /factors/:id": ofUser(unenroll),
};

async function enroll(request: FastifyRequest, signedIn: SignedIn, context: AuthContext) {
  const { factor_type, friendly_name: name, issuer } = readBody(request, enrollSchema);
  if (factor_type !== "totp") throw refusals.unknownFactorType();
  if (name.length > nameCharactersMax) throw refusals.longFactorName(nameCharactersMax);

  const totp = await newTotp({ issuer: issuer || new URL(context.siteUrl).host, email: signedIn.user.email });
  const id = randomUUID();
  const secret = await context.secretKeys.encrypt(totp.secret, id);
  await inTransaction(context.owner, async (db) => {
    const locked = await lockSignedIn(db, signedIn, context);
    await makeRoomForFactor(db, locked, name);
    const { user, claims } = locked;
    await db.query(
      `insert into auth.mfa_factors (id, user_id, session_id, friendly_name, factor_type, created_at, updated_at, secret)
       values ($1, $2, $3, $4, 'totp', now(), now(), $5)`,
      [id, user.id, claims.session_id, name, secret],
    );
    await writeAuditLog(db, { action: "factor_in_progress", user, traits: { factor_id: id }, ip: request.ip });
  });
  return { id, type: "totp", friendly_name: name, totp };
}

/** The client asks for a challenge before each code. Nothing is stored for it: the code itself is short-lived and works once. */
async function challenge(request: FastifyRequest, signedIn: SignedIn, { owner, now }: AuthContext) {
  await requireFactor(repeatable(owner), signedIn, request);
  return { id: randomUUID(), type: "totp", expires_at: Math.floor(now().getTime() / 1000) + challengeSeconds };
}

/** The attempt is committed before the code is compared, so it counts even if the request fails later. */
async function verify(request: FastifyRequest, signedIn: SignedIn, context: AuthContext) {
  const { owner, now } = context;
  const { ip } = request;
  const factor = await requireFactor(repeatable(owner), signedIn, request);
  const { code } = readBody(request, verifySchema);
  if (code === "") throw refusals.noFactorCode();
  const secret = await context.secretKeys.decrypt(factor.secret, factor.id).catch((error: unknown) => {
    request.log.error({ err: error }, "The secret of a second factor cannot be decrypted.");
    throw refusals.undecryptableFactor(error);
  });

  // A thief of the password guesses at all factors of the account together, because three of a million codes are right
  // for each (docs/protocol.md#attempts-of-second-factors).
  const guess = { user: signedIn.user.id, ip };
  await requireLimits(context, repeatable(owner), ["second factors", "second factors from all networks"], guess);
  // Ignore spaces: apps show the code in two halves.
  const step = await stepOfCode(secret, code.replace(/\s/g, ""), now());
  return raiseByCode(request, signedIn, context, {
    async spend(db, user) {
      if (step === undefined || !(await spendStep(db, factor, step))) return undefined;
      await confirmFactor(db, user, factor);
      // A thief of the password may have asked for another address before there was a second factor.
      if (!hasSecondFactor(user)) await endEmailChange(db, user);
      await fillBuckets(db, "second factors", guess);
      await returnToken(db, "second factors from all networks", guess);
      await writeAuditLog(db, { action: "factor_verified", user, traits: { factor_id: factor.id }, ip });
      if (factor.status === "unverified") await queueNotice(db, "second-factor-added", user, request, context);
      return { method: "totp", factorId: factor.id, user: (await findUser(db, user.id)) ?? user };
    },
    failure: { factor_id: factor.id, reason: "mfa_verification_failed" },
    refuse: refusals.wrongFactorCode,
  });
}

async function unenroll(request: FastifyRequest, signedIn: SignedIn, context: AuthContext) {
  return inTransaction(context.owner, async (db) => {
    const locked = await lockSignedIn(db, signedIn, context);
    const { user, claims } = locked;
    const factor = await requireFactor(db, locked, request);
    if (factor.status === "verified" && claims.aal !== "aal2") throw refusals.needsSecondFactor.toUnenroll();
    await removeFactor(db, user, factor);
    const traits = { factor_id: factor.id, factor_status: factor.status, session_id: claims.session_id };
    await writeAuditLog(db, { action: "factor_unenrolled", user, traits, ip: request.ip });
    if (factor.status === "verified") await queueNotice(db, "second-factor-removed", user, request, context);
    return { id: factor.id };
  });
}

/** The factor of the path. */
async function requireFactor(db: Database, { user, claims }: SignedIn, { params }: FastifyRequest): Promise<Factor> {
  const { id } = params as { id: string };
  if (!z.guid().safeParse(id).success) throw refusals.badFactorId();
  const { rows } = await db.query<Factor>(
    `select id, status, secret from auth.mfa_factors where id = $3 and user_id = $1 and ${isUsableFactor}`,
    [user.id, claims.session_id, id],
  );
  const [factor] = rows;
  if (!factor) throw refusals.noSuchFactor();
  return factor;
}
