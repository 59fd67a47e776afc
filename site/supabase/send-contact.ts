import type { Contact } from "#validation/contact";
import { callBackend, SetupError } from "./client";
import { errorMessageOf } from "./error-message";

export type SendOutcome =
  | { kind: "sent" }
  /** The backend said no. `message` is there when it said why in words. */
  | { kind: "refused"; message: string | undefined }
  /** Nobody answered, so nobody knows whether it arrived. */
  | { kind: "unreachable" };

/** Sends one contact: `POST /rest/v1/contacts` with exactly these four fields (specification, section 7). */
export async function sendContact({ name, company, email, interest }: Contact): Promise<SendOutcome> {
  try {
    const reply = await callBackend((client) => client.from("contacts").insert({ name, company, email, interest }));
    if (!reply) return { kind: "unreachable" };
    if (!reply.error) return { kind: "sent" };
    // A request that was cut off may have arrived; the database swallows an identical repeat within 30 seconds.
    return reply.status === 0
      ? { kind: "unreachable" }
      : { kind: "refused", message: errorMessageOf(reply.error.message) };
  } catch (error) {
    if (error instanceof SetupError) return { kind: "refused", message: error.message };
    throw error;
  }
}
