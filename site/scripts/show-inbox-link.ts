import { isAdmin } from "../supabase/inbox";
import { findUser } from "../supabase/session";

await showInboxLink();

/** For an admin, the way to the contacts takes the place of the way to a login that is done. */
async function showInboxLink() {
  const user = await findUser();
  if (!user.ok || !user.value) return;
  const answer = await isAdmin(user.value.id);
  if (!answer.ok || !answer.value) return;
  for (const item of document.querySelectorAll<HTMLElement>("[data-for]")) item.hidden = item.dataset.for !== "admins";
}
