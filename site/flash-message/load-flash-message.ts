import { runTemplate } from "../scripts/run-template";

/**
 * Loads the flash message where there is one: from a login, or from an old-style link, whose fragment is removed before
 * another script can read the tokens in it. Other visitors load only this file; other fragments are left alone.
 */
const templateId = "flash-message-template";
const fields = new URLSearchParams(location.hash.slice(1));
const isLink = fields.has("access_token") || fields.has("error");

if (document.getElementById(templateId)) {
  if (isLink) history.replaceState(history.state, "", location.pathname + location.search);
  if (isLink || hasStoredMessage()) runTemplate(templateId).then(show);
}

/** show-flash-message.ts listens to this event. */
function show() {
  document.dispatchEvent(new CustomEvent("flash-message", { detail: isLink ? fields : undefined }));
}

/** Only a flash message is stored there. (An import of flash-storage.ts would make one more file to load.) */
function hasStoredMessage(): boolean {
  try {
    return sessionStorage.length > 0;
  } catch {
    return false;
  }
}
