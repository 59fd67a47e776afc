import { isAdmin } from "../supabase/read-contacts";
import { findUser } from "../supabase/session";

await showAccountLink();

/**
 * In place of the login, shows administrators the link to the inbox, and other people who are logged in the link to
 * their account (docs/specification.md#links-for-people-who-are-logged-in).
 */
async function showAccountLink() {
  const user = await findUser();
  if (!user.ok || !user.value) return;
  const admin = await isAdmin(user.value.id);
  // Without an answer about the role, the link to the account is right for both.
  const reader = admin.ok && admin.value ? "admins" : "members";
  for (const item of document.querySelectorAll<HTMLElement>("[data-for]")) item.hidden = item.dataset.for !== reader;
}
