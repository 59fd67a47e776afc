import { isAdmin } from "../supabase/read-contacts";
import { findUser } from "../supabase/session";

await showInboxLink();

/** Shows administrators the inbox link in place of the login (docs/specification.md#inbox-link-in-the-header). */
async function showInboxLink() {
  const user = await findUser();
  if (!user.ok || !user.value) return;
  const result = await isAdmin(user.value.id);
  if (!result.ok || !result.value) return;
  for (const item of document.querySelectorAll<HTMLElement>("[data-for]")) item.hidden = item.dataset.for !== "admins";
}
