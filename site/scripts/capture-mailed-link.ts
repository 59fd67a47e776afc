import { passwordFragment, readMailedLink } from "../supabase/mailed-link";

/**
 * Moves what a mailed link has brought out of the address, before anything else can read, keep or share it, and into the
 * history entry of this tab. There a reload finds it, and a phone that shows the mail program for a while reloads the
 * page; nobody else does, and nothing is sent or spent by this.
 */
function takeLink(): boolean {
  const link = readMailedLink(location.hash);
  const choosesPassword = location.hash === passwordFragment;
  if (!link && !choosesPassword) return false;
  history.replaceState(link ? { link } : { choosesPassword }, "", location.pathname + location.search);
  return true;
}

takeLink();
// The login is built into the page, and is not what is wanted now.
document.documentElement.toggleAttribute("data-other-step", history.state !== null);
// A link that is opened where this page already is changes nothing but the fragment.
addEventListener("hashchange", () => takeLink() && location.reload());
