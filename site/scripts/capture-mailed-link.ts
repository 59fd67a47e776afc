import type { AfterSecondFactor, MailedLink, passwordFragment } from "../supabase/mailed-link";

// This script is written into the page, so that it runs before the first paint. With an import it would become a file to
// load.

const choosesPasswordAt: typeof passwordFragment = "#new-password";
const afterSecondFactor: AfterSecondFactor[] = ["logged-in", "confirmed", "new-password", "email-changed", "back"];

captureLink();
// Hides the login, which is in the prerendered page, until the stored step is shown.
const { back: _, ...step } = history.state ?? {};
document.documentElement.toggleAttribute("data-other-step", Object.values(step).some(Boolean));
// If a mailed link is opened in a tab that shows this page, only the fragment changes. The browser does not reload the
// page then.
addEventListener("hashchange", () => captureLink() && location.reload());

/**
 * Moves what the fragment says from the address to the state of this history entry: the token of a mailed link, before
 * another script can read it there, or the page that return-address.ts leads back to. The state survives a reload, and
 * phones reload a page after a visit to another program. This function sends nothing, so it does not use a token up.
 * Returns false if the fragment says nothing.
 */
function captureLink(): boolean {
  const { pathname, search, hash } = location;
  const fields = new URLSearchParams(hash.slice(1));
  const link = readMailedLink(fields);
  const choosesPassword = hash === choosesPasswordAt;
  const secondFactor = afterSecondFactor.find((then) => then === fields.get("second-factor"));
  const back = fields.get("back");
  if (!link && !choosesPassword && !secondFactor && !back) return false;
  history.replaceState(link ? { link } : { choosesPassword, secondFactor, back }, "", pathname + search);
  return true;
}

function readMailedLink(fields: URLSearchParams): MailedLink | undefined {
  const tokenHash = fields.get("token_hash");
  return tokenHash === null
    ? undefined
    : { tokenHash, type: fields.get("type") ?? "", redirectTo: fields.get("redirect_to") };
}
