import { runDeferredScript } from "../scripts/deferred-script";

/**
 * Notices what a link in an email or a login has left for the landing page. The address is cleaned before anything else
 * can read or keep the tokens in it. Anchors are nobody's business here, and whoever just visits loads no more than this.
 */
const fields = new URLSearchParams(location.hash.slice(1));
const isLink = fields.has("access_token") || fields.has("error");

if (document.getElementById("arrival-note")) {
  if (isLink) history.replaceState(history.state, "", location.pathname + location.search);
  if (isLink || keepsNotes()) runDeferredScript("arrival-script").then(announce);
}

/** Heard by arrival-note.ts, which listens once it has run. */
function announce() {
  document.dispatchEvent(new CustomEvent("arrival", { detail: isLink ? fields : undefined }));
}

/** Nothing but a login leaves something there, and what it means is not for this file to know: it stays small. */
function keepsNotes(): boolean {
  try {
    return sessionStorage.length > 0;
  } catch {
    return false;
  }
}
