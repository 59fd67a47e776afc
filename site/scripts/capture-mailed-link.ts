import { passwordFragment, readMailedLink } from "../supabase/mailed-link";

/**
 * Moves the token of a mailed link from the address to the state of this history entry, before another script can read
 * the token there. The state survives a reload, and phones reload a page after a visit to another program. This script
 * sends nothing, so it does not use the token up.
 */
function captureLink(): boolean {
  const link = readMailedLink(location.hash);
  const choosesPassword = location.hash === passwordFragment;
  if (!link && !choosesPassword) return false;
  history.replaceState(link ? { link } : { choosesPassword }, "", location.pathname + location.search);
  return true;
}

captureLink();
// Hides the login, which is in the prerendered page, until the stored step is shown.
document.documentElement.toggleAttribute("data-other-step", history.state !== null);
// If a mailed link is opened in a tab that shows this page, only the fragment changes. The browser does not reload the
// page then.
addEventListener("hashchange", () => captureLink() && location.reload());
