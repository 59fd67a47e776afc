/** Former paths of pages, which old mails and bookmarks name, with the present ones. */
const movedPages: ReadonlyMap<string, string> = new Map([["/admin/account", "/account"]]);

/** The path that a page has today, for any spelling of its path (docs/specification.md#path-spelling). */
export function canonicalPath(path: string): string {
  const trimmed = path.replace(/(?:\/index)?(?:\.html)?\/*$/, "") || "/";
  return movedPages.get(trimmed) ?? trimmed;
}
