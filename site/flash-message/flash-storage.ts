const key = "flash-message";

/** What has just happened when the landing page is loaded. */
export type FlashMessageKind = "logged-in" | "confirmed" | "new-password";

/** Stores a message for the next page. */
export function storeFlashMessage(kind: FlashMessageKind) {
  try {
    window.sessionStorage.setItem(key, kind);
  } catch {
    // Storage is switched off: the message is left out.
  }
}

/** Returns the stored message once. */
export function takeFlashMessage(): FlashMessageKind | undefined {
  try {
    const stored = window.sessionStorage.getItem(key);
    window.sessionStorage.removeItem(key);
    return (stored as FlashMessageKind | null) ?? undefined;
  } catch {
    return undefined;
  }
}
