import { runTemplate } from "../scripts/run-template";
import type { flashMessageKey } from "./flash-storage";

/**
 * Loads the code of the flash message if there is a message to show: a stored one, or the outcome of a mailed link to
 * the API. For such a link the API redirects to this page, with a session, an error or a message in the fragment
 * (docs/protocol.md#links-at-the-api). This script removes that fragment at once, before another script can read the
 * tokens in it, and keeps other fragments. Without a message only this file is loaded. A link that leads to another page
 * of the site goes on to the landing page, so that one place decides what becomes of its tokens.
 */
const templateId = "flash-message-template";
const fields = new URLSearchParams(location.hash.slice(1));
const isLink = ["access_token", "error", "message"].some((name) => fields.has(name));

if (document.getElementById(templateId)) {
  if (isLink) history.replaceState(history.state, "", location.pathname + location.search);
  if (isLink || hasStoredMessage()) runTemplate(templateId).then(show);
} else if (isLink) location.replace(`/${location.hash}`);

/** show-flash-message.ts listens to this event. */
function show() {
  document.dispatchEvent(new CustomEvent("flash-message", { detail: isLink ? fields : undefined }));
}

/** The key is written here too, because an import of flash-storage.ts would make one more file to load. */
function hasStoredMessage(): boolean {
  const key: typeof flashMessageKey = "flash-message";
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
