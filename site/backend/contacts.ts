import type { Contact } from "#rules/contact";
import { reachClient } from "./client";
import { wordsIn } from "./words-in";

export type SendOutcome =
  | { kind: "sent" }
  /** The backend said no. `message` is there when it said why in words. */
  | { kind: "refused"; message: string | undefined }
  /** Nobody answered, so nobody knows whether it arrived. */
  | { kind: "unreachable" };

/** Sends one contact: `POST /rest/v1/contacts` with exactly these four fields (specification, section 7). */
export async function sendContact({ name, company, email, interest }: Contact): Promise<SendOutcome> {
  const client = await reachClient();
  if (!client) return { kind: "unreachable" };

  const { error, status } = await client.from("contacts").insert({ name, company, email, interest });
  if (!error) return { kind: "sent" };
  if (status === 0) return { kind: "unreachable" };
  return { kind: "refused", message: wordsIn(error.message) };
}
