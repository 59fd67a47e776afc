import type { Contact } from "#validation/contact";
import { backendAddress, publicKey } from "./client";
import { formRequest } from "./request";
import { dataFailure, type Result, unanswered } from "./result";
import { fetchWithTimeout } from "./timeout";

/** Inserts one contact with exactly these four fields (docs/specification.md#insert-contact). */
export function sendContact({ name, company, email, interest }: Contact): Promise<Result<null>> {
  const contact = { name, company, email, interest };
  return formRequest(
    async (client) => {
      const reply = await client.from("contacts").insert(contact);
      return reply.error ? dataFailure(reply) : { ok: true, value: null };
    },
    () => insertWithoutClient(contact),
  );
}

/**
 * The same insert without the library. If the server was away when the library was to be loaded, Firefox does not ask for
 * it again before a reload, so that sending again would fail for ever.
 */
async function insertWithoutClient(contact: Contact): Promise<Result<null>> {
  const headers = { apikey: publicKey(), "content-type": "application/json", prefer: "return=minimal" };
  const request = { method: "POST", headers, body: JSON.stringify(contact) };
  try {
    const answer = await fetchWithTimeout(backendAddress("/rest/v1/contacts"), request);
    if (answer.ok) return { ok: true, value: null };
    return dataFailure({ status: answer.status, error: await answer.json().catch(() => null) });
  } catch {
    return unanswered;
  }
}
