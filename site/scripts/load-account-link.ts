import { runTemplate } from "./run-template";

const templateId = "account-link-template";

/**
 * Without a stored session nothing more is loaded. With one, the link to the account takes the place of the login at
 * once; the client library, loaded in idle time, then asks whether the session is valid and the person an administrator.
 */
if (document.getElementById(templateId) && hasStoredSession()) {
  for (const item of document.querySelectorAll<HTMLElement>("[data-for]")) item.hidden = item.dataset.for !== "members";
  whenIdle(() => runTemplate(templateId));
}

function hasStoredSession(): boolean {
  try {
    return Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
  } catch {
    return false;
  }
}

/** The timeout is for a browser that draws no frames and is never idle. Old Safari lacks `requestIdleCallback`. */
function whenIdle(work: () => void) {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 200);
}
