/** Old paths of pages, and their present paths. Mails and bookmarks may still contain the old ones. */
const movedPages: ReadonlyMap<string, string> = new Map([["/admin/account", "/account"]]);

/** The present path of a page, for any spelling of its path (docs/specification.md#path-spelling). */
export function canonicalPath(path: string): string {
  const trimmed = path.replace(/(?:\/index)?(?:\.html)?\/*$/, "") || "/";
  return movedPages.get(trimmed) ?? trimmed;
}
