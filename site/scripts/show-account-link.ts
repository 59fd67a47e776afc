import { findUser, isAdmin } from "../supabase/session";

await showAccountLink();

/**
 * In place of the login, shows administrators the link to the inbox, and other people who are logged in the link to
 * their account (docs/specification.md#links-for-people-who-are-logged-in).
 */
async function showAccountLink() {
  const user = await findUser();
  // Without an answer, the link to the account is right for everyone with a stored session.
  const role = user.ok && user.value ? await isAdmin(user.value.id) : undefined;
  const reader = user.ok && !user.value ? "visitors" : role?.ok && role.value ? "admins" : "members";
  for (const item of document.querySelectorAll<HTMLElement>("[data-for]")) item.hidden = item.dataset.for !== reader;
}
