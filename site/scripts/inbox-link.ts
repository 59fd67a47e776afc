import { runDeferredScript } from "./deferred-script";

/** A browser in which nobody has logged in is asked no more than this. The client waits until the page has nothing to do. */
if (holdsSession()) whenIdle(() => runDeferredScript("inbox-link-script"));

function holdsSession(): boolean {
  try {
    return Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
  } catch {
    return false;
  }
}

/** After two seconds in any case: a browser that draws no frames may never call itself idle. Older Safari has only timers. */
function whenIdle(work: () => void) {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 200);
}
