import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import { z } from "zod";
import { repeatable } from "#backend/database/reconnect";
import { inTransaction } from "#backend/database/transaction";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { endEmailChange } from "../email-change.ts";
import { fillBuckets, requireLimits, returnToken } from "../limits/rate-limiter.ts";
import { refusals } from "../refusals.ts";
import { readBody, text } from "../request-input.ts";
import {
  addChallenge,
  addFactor,
  confirmFactor,
  removeFactor,
  requireFactor,
  requireOpenChallenge,
  spendChallenge,
  spendStep,
} from "../second-factor/factors.ts";
import { raiseByCode } from "../second-factor/raise-session.ts";
import { newTotp, stepOfCode } from "../second-factor/totp.ts";
import { factsOfClient, isKnownNetwork } from "../sessions/known-devices.ts";
import { type Caller, lockCaller, routeOfUser } from "../sessions/require-user.ts";
import { clientOf } from "../sessions/sessions.ts";
import { findUser, hasSecondFactor } from "../users.ts";

/** Every answer about an account repeats the names of its factors. */
const nameCharactersMax = 100;

const enrollSchema = z.object({ factor_type: text, friendly_name: text, issuer: text });
const verifySchema = z.object({ challenge_id: z.guid(), code: text });

/** Everything under /factors, except recovery codes (docs/protocol.md#second-factor). */
export function factors(app: FastifyInstance, context: AuthContext) {
  app.post("/factors", routeOfUser(context, enroll));
  app.post("/factors/:id/challenge", routeOfUser(context, challenge));
  app.post("/factors/:id/verify", routeOfUser(context, verify));
  app.delete("/factors/:id", routeOfUser(context, unenroll));
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

async function enroll(request: FastifyRequest, caller: Caller, context: AuthContext) {
  const { owner, siteUrl, secretKeys, now } = context;
  const { factor_type, friendly_name: name, issuer } = readBody(request, enrollSchema);
  if (factor_type === "phone") throw refusals.phoneFactor();
  if (factor_type === "webauthn") throw refusals.webAuthnFactor();
  if (factor_type !== "totp") throw refusals.unknownFactorType();
  if (name.length > nameCharactersMax) throw refusals.longFactorName(nameCharactersMax);

  const totp = await newTotp({ issuer: issuer || new URL(siteUrl).host, email: caller.user.email });
  const at = now();
  const id = await inTransaction(owner, async (db) => {
    const locked = await lockCaller(db, caller, context);
    const added = await addFactor(db, locked, { name, secret: totp.secret }, { secretKeys, now: at });
    const { user } = locked;
    await writeAuditLog(db, { action: "factor_in_progress", user, at, traits: { factor_id: added }, ip: request.ip });
    return added;
  });
  return { id, type: "totp", friendly_name: name, totp };
}

async function challenge(request: FastifyRequest, caller: Caller, { owner, now }: AuthContext) {
  const { ip } = request;
  const { user } = caller;
  const at = now();
  const factor = await requireFactor(repeatable(owner), caller, idOf(request), at);
  const added = await inTransaction(owner, async (db) => {
    const traits = { factor_id: factor.id, factor_status: factor.status };
    await writeAuditLog(db, { action: "challenge_created", user, at, traits, ip });
    return addChallenge(db, factor, ip, at);
  });
  return { type: "totp", ...added };
}

/** The attempt is committed before the code is compared, so it counts even if the request fails later. */
async function verify(request: FastifyRequest, caller: Caller, context: AuthContext) {
  const { owner, now } = context;
  const { ip } = request;
  const at = now();
  const factor = await requireFactor(repeatable(owner), caller, idOf(request), at);
  const { challenge_id: challengeId, code } = readBody(request, verifySchema);
  if (code === "") throw refusals.noFactorCode();
  await requireOpenChallenge(repeatable(owner), challengeId, factor, ip, at);
  const secret = await context.secretKeys.decrypt(factor.secret, factor.id).catch((error: unknown) => {
    request.log.error({ err: error }, "The secret of a second factor cannot be decrypted.");
    throw refusals.undecryptableFactor(error);
  });

  const returnAttempts = await takeSecondFactorAttempt(context, { user: caller.user.id, ip });
  // Ignore spaces: apps show the code in two halves.
  const step = await stepOfCode(secret, code.replace(/\s/g, ""), at);
  return raiseByCode(request, caller, context, {
    at,
    async spend(db, user) {
      if (step === undefined || !(await spendStep(db, factor, step))) return undefined;
      await spendChallenge(db, challengeId, at);
      await confirmFactor(db, user, factor, at);
      // A thief of the password may have asked for another address before there was a second factor.
      if (!hasSecondFactor(user)) await endEmailChange(db, user, at);
      await returnAttempts(db);
      await writeAuditLog(db, { action: "factor_verified", user, at, traits: { factor_id: factor.id }, ip });
      const facts = factsOfClient(clientOf(request), at);
      if (factor.status === "unverified")
        await context.queueMail(db, { kind: "second-factor-added", email: user.email, facts, requestedAt: at });
      return { method: "totp", factorId: factor.id, user: (await findUser(db, user.id)) ?? user };
    },
    failure: { factor_id: factor.id, reason: "mfa_verification_failed" },
    refuse: refusals.wrongFactorCode,
  });
}

/**
 * Limits the guessing of second factors by a thief of the password (docs/protocol.md#attempts-of-second-factors). All
 * factors of an account count together, because three of a million codes are right for each. In a network where the
 * owner has used the second factor, only that network's own attempts count, so that the thief cannot lock the owner
 * out. Throws 429 if no attempt is left. Call the returned function after a right code: it gives this network all its
 * attempts back, and takes this attempt off the count of all networks.
 */
async function takeSecondFactorAttempt(context: AuthContext, guess: { user: string; ip: string }) {
  const owner = repeatable(context.owner);
  const isProved = await isKnownNetwork(owner, guess.user, guess.ip, "second factor", context.now());
  const ofNetwork = isProved ? "second factors in a proved network" : "second factors";
  const ofAll = "second factors from all networks";
  await requireLimits(context, owner, isProved ? [ofNetwork] : [ofNetwork, ofAll], guess);
  return async (db: ClientBase) => {
    await fillBuckets(db, [ofNetwork], guess);
    if (!isProved) await returnToken(db, ofAll, guess);
  };
}

async function unenroll(request: FastifyRequest, caller: Caller, context: AuthContext) {
  const at = context.now();
  return inTransaction(context.owner, async (db) => {
    const locked = await lockCaller(db, caller, context);
    const { user, claims } = locked;
    const factor = await requireFactor(db, locked, idOf(request), at);
    if (factor.status === "verified" && claims.aal !== "aal2") throw refusals.needsSecondFactor.toUnenroll();
    await removeFactor(db, user, factor);
    const traits = { factor_id: factor.id, factor_status: factor.status, session_id: claims.session_id };
    await writeAuditLog(db, { action: "factor_unenrolled", user, at, traits, ip: request.ip });
    const facts = factsOfClient(clientOf(request), at);
    if (factor.status === "verified")
      await context.queueMail(db, { kind: "second-factor-removed", email: user.email, facts, requestedAt: at });
    return { id: factor.id };
  });
}
