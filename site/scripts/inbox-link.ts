import { runLate } from "./late-script";

/** A browser in which nobody has logged in is asked no more than this. The client waits until the page has nothing to do. */
if (holdsSession()) whenIdle(() => runLate("inbox-link-script"));

function holdsSession(): boolean {
  try {
    return Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
  } catch {
    return false;
  }
}

/** Safari has learned the first way only lately. */
function whenIdle(work: () => void) {
  if ("requestIdleCallback" in window) requestIdleCallback(work);
  else setTimeout(work, 200);
}
