const key = "fresh-login";

/** Leaves a note for the page that a login ends on. */
export function rememberLogin() {
  try {
    window.sessionStorage.setItem(key, "yes");
  } catch {
    // Storage is switched off: the login goes on without its message.
  }
}

/** Whether a login has just ended here; true once. */
export function isFreshLogin(): boolean {
  try {
    const left = window.sessionStorage.getItem(key);
    window.sessionStorage.removeItem(key);
    return left !== null;
  } catch {
    return false;
  }
}
