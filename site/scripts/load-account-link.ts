import { runTemplate } from "./run-template";

/** Without a stored session nothing more is loaded. With a session, the client library is loaded in idle time. */
if (hasStoredSession()) whenIdle(() => runTemplate("account-link-template"));

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
