// This script is written into each page, so that it runs as soon as the page is parsed, usually before the first paint.
// With an import it would become a file to load.

/**
 * A mailed link brings a token, a session, an error or a message in its fragment (docs/protocol.md#mailed-links,
 * docs/protocol.md#links-at-the-api). From every page it leads to the sign-in screen, which handles it. There the fragment
 * moves at once from the address to the state of the history entry, before another script can read it. The state survives
 * a reload, and phones reload a page after a visit to another program. Nothing is sent, so no token is used up.
 */
const isSignIn = document.querySelector("[data-sign-in]") !== null;
const isLink = isSignIn
  ? /^#second-factor$|[#&](access_token|error|message|token_hash)=/
  : /[#&](access_token|error|message)=/;

takeLink();
// If a link is opened in a tab that shows this page, only the fragment changes: the browser loads nothing.
addEventListener("hashchange", () => takeLink() && location.reload());
// Hides the login, which is in the prerendered page, until the stored step is shown.
if (isSignIn) document.documentElement.toggleAttribute("data-other-step", Boolean(history.state));

/** Returns whether the fragment was moved. */
function takeLink(): boolean {
  const { hash, pathname, search } = location;
  if (!isLink.test(hash)) return false;
  if (isSignIn) history.replaceState({ link: hash }, "", pathname + search);
  else location.replace(`/auth${hash}`);
  return isSignIn;
}
