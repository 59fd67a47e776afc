import type { loggedInKey } from "../supabase/navigation-intents";

/**
 * Says once that a login has succeeded (docs/specification.md#sign-in-screen). The key is written here too, because an
 * import would make this script a file to load; its type holds both equal.
 */
const key: typeof loggedInKey = "logged-in";
const notice = document.querySelector<HTMLElement>("[data-logged-in]");
if (notice && takeMark()) {
  notice.hidden = false;
  // A screen reader announces only changes inside a region that it already knows.
  setTimeout(() => {
    notice.textContent = notice.dataset.loggedIn ?? "";
  }, 100);
}

function takeMark(): boolean {
  try {
    const isMarked = sessionStorage.getItem(key) !== null;
    sessionStorage.removeItem(key);
    return isMarked;
  } catch {
    return false;
  }
}
