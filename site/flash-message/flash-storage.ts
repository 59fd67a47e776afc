const key = "flash-message";

/** What happened just before the landing page was loaded. The message reports it. */
export type FlashMessageKind = "logged-in" | "confirmed" | "new-password" | "email-changed";

/** Stores a message for the next page. */
export function storeFlashMessage(kind: FlashMessageKind) {
  try {
    window.sessionStorage.setItem(key, kind);
  } catch {
    // The browser's storage is switched off, so the next page shows no message.
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
