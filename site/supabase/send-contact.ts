import { keepsSources } from "#content/visit-sources";
import type { Contact } from "#validation/contact";
import { readSource, sourceHeaders } from "#validation/source";
import { backendAddress, publicKey } from "./client";
import { formRequest } from "./request";
import { dataFailure, type Result, unanswered } from "./result";
import { fetchWithTimeout } from "./timeout";

/** Inserts one contact with exactly these four fields (docs/specification.md#insert-contact). */
export function sendContact({ name, company, email, interest }: Contact): Promise<Result<null>> {
  const contact = { name, company, email, interest };
  return formRequest(
    async (client) => {
      const insert = client.from("contacts").insert(contact);
      for (const [name, value] of Object.entries(headersOfSource())) insert.setHeader(name, value);
      const reply = await insert;
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
  const headers = {
    apikey: publicKey(),
    "content-type": "application/json",
    prefer: "return=minimal",
    ...headersOfSource(),
  };
  const request = { method: "POST", headers, body: JSON.stringify(contact) };
  try {
    const answer = await fetchWithTimeout(backendAddress("/rest/v1/contacts"), request);
    if (answer.ok) return { ok: true, value: null };
    return dataFailure({ status: answer.status, error: await answer.json().catch(() => null) });
  } catch {
    return unanswered;
  }
}

/** What this page itself knows: nothing is stored for it. A visitor may have told the browser to say nothing. */
function headersOfSource(): Record<string, string> {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  if (!keepsSources || doNotTrack === "1" || globalPrivacyControl) return {};
  return sourceHeaders(readSource(window.location.href, document.referrer));
}
