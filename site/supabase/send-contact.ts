import { keepsSources } from "#content/visit-sources";
import type { Contact } from "#validation/contact";
import { readSource, sourceHeaders } from "#validation/source";
import { backendAddress, publicKey, setupProblem } from "./client";
import { dataFailure, type Reply, type Result, unanswered } from "./result";
import { fetchWithTimeout } from "./timeout";

/**
 * Inserts one contact with exactly these four fields (docs/specification.md#insert-contact). The request is that of the
 * client library, which would be larger than all that the form loads beside React.
 */
export async function sendContact({ name, company, email, interest }: Contact): Promise<Result<null>> {
  const problem = setupProblem();
  if (problem) return { ok: false, message: problem };
  const headers = {
    apikey: publicKey(),
    // A legacy key is a token of the role `anon`.
    authorization: `Bearer ${publicKey()}`,
    "content-profile": "public",
    "content-type": "application/json",
    ...headersOfSource(),
  };
  const body = JSON.stringify({ name, company, email, interest });
  try {
    const answer = await fetchWithTimeout(backendAddress("/rest/v1/contacts"), { method: "POST", headers, body });
    const text = await answer.text();
    // Any other success is of a program in between, such as the login page of a public network.
    if (answer.status === 201) return { ok: true, value: null };
    return dataFailure({ status: answer.status, error: readError(text) });
  } catch {
    return unanswered;
  }
}

/** Null if it is not of the data API (docs/protocol.md#data-error-shape). */
function readError(text: string): Reply["error"] {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What this page itself knows: nothing is stored for it. A visitor may have told the browser to say nothing. */
function headersOfSource(): Record<string, string> {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  if (!keepsSources || doNotTrack === "1" || globalPrivacyControl) return {};
  return sourceHeaders(readSource(window.location.href, document.referrer));
}
