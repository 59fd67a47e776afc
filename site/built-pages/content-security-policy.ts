import { createHash } from "node:crypto";

/**
 * The Content-Security-Policy of all pages; what no directive allows is refused. Astro adds `script-src`, `style-src` and
 * `font-src` and writes the policy into each page, where the server reads it for the header. Pages that need more say so
 * with `Astro.csp`.
 */
export function policyDirectives(backendUrl: string | undefined) {
  return [
    "default-src 'none'",
    `connect-src 'self'${backendUrl ? ` ${new URL(backendUrl).origin}` : ""}`,
    "img-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ] as const;
}

/** Allows exactly the page's own inline scripts and styles: Astro names those of the whole site on each page. */
export function withOwnHashes(html: string): string {
  return html.replace(/<meta http-equiv="content-security-policy"[^>]*>/i, (policy) =>
    ["script", "style"].reduce((rewritten, element) => {
      const inline = html.matchAll(new RegExp(`<${element}\\b(?![^>]* src=)[^>]*>(.*?)</${element}>`, "gs"));
      const hashes = Array.from(inline, ([, text = ""]) => createHash("sha256").update(text).digest("base64"));
      const own = [...new Set(hashes)].map((hash) => ` 'sha256-${hash}'`).join("");
      return rewritten.replace(
        new RegExp(`${element}-src [^;"]*`),
        (directive) => directive.replaceAll(/ 'sha256-[^']+'/g, "").trimEnd() + own,
      );
    }, policy),
  );
}
