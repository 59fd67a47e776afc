/** Paths without a page of their own, and the pages that they lead to. Mails and bookmarks contain the oldest one. */
export const redirects: Readonly<Record<string, string>> = {
  "/admin": "/admin/contacts",
  "/admin/account": "/account",
  "/login": "/auth",
};
