import { runTemplate } from "./run-template";

/** Without a stored session no more than this runs. With one, the client library is loaded when the page is idle. */
if (hasStoredSession()) whenIdle(() => runTemplate("inbox-link-template"));

function hasStoredSession(): boolean {
  try {
    return Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
  } catch {
    return false;
  }
}

/** With a timeout, because a browser that draws no frames is never idle. Older versions of Safari have no such call. */
function whenIdle(work: () => void) {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 200);
}
