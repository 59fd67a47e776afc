import type { ClientBase } from "pg";
import { z } from "zod";
import { inTransaction } from "#server/database/transaction";
import { addJob, attemptsFor } from "#server/jobs/add-job";
import type { AccountMail } from "#server/mail/account-mail";
import type { AuthContext } from "../auth-context.ts";
import { passwordChangedMail } from "../passwords/password-change.ts";
import { newOneTimeToken, type OneTimeToken } from "../tokens/one-time-tokens.ts";
import { alreadyRegisteredMail, confirmationMail } from "./confirmation.ts";
import { newDeviceMail } from "./new-device.ts";
import { recoveryMail } from "./recovery.ts";

/** What composing needs: no request is there any more. */
export type MailContext = Pick<AuthContext, "owner" | "siteUrl" | "hasher" | "now">;

/** A mail that somebody asked for. It rests in the database until it is sent, so nothing in it is secret. */
export interface QueuedMail {
  kind: AccountMail["kind"];
  email: string;
  /** Where the mailed link should end. */
  redirectTo: string;
  /** What the mail tells of, each with its name. */
  facts?: AccountMail["facts"];
  askedAt: Date;
}

/** Makes the mail, one-time token and all, right before it is sent; undefined if there is nobody to send it to by now. */
export type MailTemplate = (db: ClientBase, parts: MailContext, order: QueuedMail) => Promise<AccountMail | undefined>;

/** The same for a mail with a link and a code. They are made before the transaction, see `newOneTimeToken`. */
export type TokenMailTemplate = (
  ...given: [...Parameters<MailTemplate>, made: OneTimeToken]
) => ReturnType<MailTemplate>;

const composers: Record<QueuedMail["kind"], { compose: MailTemplate } | { composeWithToken: TokenMailTemplate }> = {
  "confirm-address": { composeWithToken: confirmationMail },
  "already-registered": { compose: alreadyRegisteredMail },
  recover: { composeWithToken: recoveryMail },
  invite: { composeWithToken: confirmationMail },
  "password-changed": { compose: passwordChangedMail },
  "new-device": { compose: newDeviceMail },
};

const payloadSchema = z.object({
  kind: z.string().refine((kind) => Object.hasOwn(composers, kind)),
  email: z.string(),
  redirect_to: z.string(),
  facts: z.array(z.tuple([z.string(), z.string()])).default([]),
  asked_at: z.coerce.date(),
});

/**
 * Inside the request's transaction, for known and unknown addresses alike: what is sent, and whether anything is, shows
 * only where the mail is composed. So a slow mail server delays no answer, and no answer tells who has an account.
 */
export async function queueAccountMail(db: ClientBase, { kind, email, redirectTo, facts, askedAt }: QueuedMail) {
  const payload = { kind, email, redirect_to: redirectTo, facts, asked_at: askedAt };
  await addJob(db, "account-mail", payload, { attempts: attemptsFor.oneDay });
}

/** The mail of an order, as the queue hands it in. At each attempt anew: a token that was never sent is worth nothing. */
export async function renderQueuedMail(parts: MailContext, payload: unknown): Promise<AccountMail | undefined> {
  const { kind, email, redirect_to, facts, asked_at } = payloadSchema.parse(payload);
  const order = { kind: kind as QueuedMail["kind"], email, redirectTo: redirect_to, facts, askedAt: asked_at };
  const composer = composers[order.kind];
  if ("compose" in composer) return inTransaction(parts.owner, (db) => composer.compose(db, parts, order));

  const made = await newOneTimeToken(parts.hasher);
  return inTransaction(parts.owner, (db) => composer.composeWithToken(db, parts, order, made));
}
