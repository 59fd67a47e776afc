import { redirects } from "#content/navigation";

/**
 * The page that a path leads to, for any spelling of the path (docs/specification.md#path-spelling). The build has a
 * file for each redirect too, for servers without redirects of their own; this server sends none of them.
 */
export function canonicalPath(path: string): string {
  const trimmed = path.replace(/(?:\/index)?(?:\.html)?\/*$/, "") || "/";
  return redirects[trimmed] ?? trimmed;
}
