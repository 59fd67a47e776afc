import { redirects } from "#content/navigation";

/**
 * The page that a path leads to, for any spelling of the path (docs/specification.md#path-spelling). The build has a
 * file for each redirect too, for servers without redirects of their own; this server sends none of them.
 */
export function canonicalPath(path: string): string {
  const trimmed = path.replace(trailingSlashes, "").replace(/(?:\/index)?(?:\.html)?$/, "") || "/";
  return redirects[trimmed] ?? trimmed;
}

/**
 * Only the first of several slashes begins a match. Otherwise each of them would, and a path of 15,000 slashes with a
 * letter at its end would keep the server from all other requests for 75 ms.
 */
const trailingSlashes = /(?<!\/)\/+$/;
