import type { IncomingHttpHeaders } from "node:http";
import { keepsSources } from "#content/visit-sources";
import { asksForPrivacy } from "#server/visits/visit-counter";
import { readSource, sourceHeaders } from "#validation/source";

/**
 * The headers with the source of a contact that is sent without JavaScript. `Referer` is the page with the form; of the
 * page before it, the browser says nothing.
 */
export function headersOfSource(headers: IncomingHttpHeaders): Record<string, string> {
  const { referer } = headers;
  const isKept = keepsSources && referer && URL.canParse(referer) && !asksForPrivacy(headers);
  return isKept ? sourceHeaders(readSource(referer, "")) : {};
}
