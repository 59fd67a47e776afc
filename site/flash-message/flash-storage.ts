const key = "arrival-news";

/** What has just come to an end when the landing page is loaded. */
export type News = "logged-in" | "confirmed" | "new-password";

/** Leaves a note for the page that comes next. */
export function leaveNews(news: News) {
  try {
    window.sessionStorage.setItem(key, news);
  } catch {
    // Storage is switched off: it goes on without its message.
  }
}

/** The note that was left, if any; once. */
export function takeNews(): News | undefined {
  try {
    const left = window.sessionStorage.getItem(key);
    window.sessionStorage.removeItem(key);
    return (left as News | null) ?? undefined;
  } catch {
    return undefined;
  }
}
