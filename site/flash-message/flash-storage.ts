const key = "arrival-news";

/** What has just come to an end when the landing page is loaded. */
export type FlashMessageKind = "logged-in" | "confirmed" | "new-password";

/** Leaves a note for the page that comes next. */
export function storeFlashMessage(news: FlashMessageKind) {
  try {
    window.sessionStorage.setItem(key, news);
  } catch {
    // Storage is switched off: it goes on without its message.
  }
}

/** The note that was left, if any; once. */
export function takeFlashMessage(): FlashMessageKind | undefined {
  try {
    const left = window.sessionStorage.getItem(key);
    window.sessionStorage.removeItem(key);
    return (left as FlashMessageKind | null) ?? undefined;
  } catch {
    return undefined;
  }
}
