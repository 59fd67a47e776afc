import type { ClientBase } from "pg";
import { queueAccountMail } from "../account-mail/queue-account-mail.ts";
import { type Client, factsOfClient } from "../sessions/known-devices.ts";
import type { User } from "../users.ts";

interface Change {
  kind: "second-factor-added" | "second-factor-removed" | "recovery-code-used";
  user: User;
  /** Undefined for the operator. */
  client: Client | undefined;
  now: Date;
}

/** Mails the owner what happened to the second factor, in case an intruder did it. */
export async function mailAboutSecondFactor(db: ClientBase, { kind, user, client, now }: Change) {
  const facts = client ? factsOfClient(client, now) : ([["Changed by", "the people who run this site"]] as const);
  await queueAccountMail(db, { kind, email: user.email, facts, requestedAt: now });
}
