const key = "flash-message";

/** The event just before the landing page was loaded, which the message reports. */
export type FlashMessageKind = "logged-in" | "confirmed" | "new-password";

/** Stores a message for the next page. */
export function storeFlashMessage(kind: FlashMessageKind) {
  try {
    window.sessionStorage.setItem(key, kind);
  } catch {
    // Storage is switched off: the message is left out.
  }
}

/** Returns the stored message and removes it, so that it is shown only once. */
export function takeFlashMessage(): FlashMessageKind | undefined {
  try {
    const stored = window.sessionStorage.getItem(key);
    window.sessionStorage.removeItem(key);
    return (stored as FlashMessageKind | null) ?? undefined;
  } catch {
    return undefined;
  }
}
