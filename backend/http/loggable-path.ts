/** Names of pages, files, tables, functions and ids. No email address, no encoded text and no long token fits. */
const plain = /^(?:\/[\w.-]{0,48})+$/;

/**
 * The path of a URL as it may be logged: without the query, which holds tokens and filters, and with `…` for each part
 * that no address of ours has, because a person may have typed or pasted anything there.
 */
export function loggablePath(url: string): string {
  const [path = ""] = url.split("?", 1);
  if (plain.test(path)) return path;
  return path.replace(/[^/]+/g, (part) => (plain.test(`/${part}`) ? part : "…"));
}
