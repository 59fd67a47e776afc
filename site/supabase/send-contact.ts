import type { Contact } from "#validation/contact";
import { formRequest } from "./request";
import { dataFailure, type Result } from "./result";

/** Inserts one contact with exactly these four fields (docs/specification.md#insert-contact). */
export function sendContact({ name, company, email, interest }: Contact): Promise<Result<null>> {
  return formRequest(async (client) => {
    const reply = await client.from("contacts").insert({ name, company, email, interest });
    return reply.error ? dataFailure(reply) : { ok: true, value: null };
  });
}
