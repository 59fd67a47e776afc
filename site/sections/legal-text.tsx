import { legalWords } from "#content/legal";
import styles from "./legal-text.module.css";

interface LegalTextProps {
  title: string;
  effectiveDate: string;
  lastUpdated: string;
  /** The Markdown of `content/legal/` as HTML. It is our own text, so it needs no escaping. */
  html: string;
}

export function LegalText({ title, html, ...dates }: LegalTextProps) {
  return (
    <article className={styles.legal}>
      <h1>{title}</h1>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, read at build time */}
      <div className={styles.text} dangerouslySetInnerHTML={{ __html: fillIn(html, { ...legalWords, ...dates }) }} />
    </article>
  );
}

/**
 * Replaces the placeholders in braces, and removes comments, which are for the owner. In the address of a link, Markdown
 * has encoded the braces as %7B and %7D. `{if app}…{else}…{end}` is for an owner who has an app, or has none, and `{if
 * sources}` for one who keeps sources; a row or a section of which nothing is left goes too.
 */
export function fillIn(html: string, words: Readonly<Record<string, string>>) {
  let filled = html
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/\{if (app|sources)\}(.*?)(?:\{else\}(.*?))?\{end\}/gs, (_, name, having, lacking = "") =>
      words[name] ? having : lacking,
    )
    .replaceAll(/<tr>\s*(<td>\s*<\/td>\s*)+<\/tr>|<p>\s*<\/p>/g, "")
    .replaceAll(/<h2\b[^>]*>[^<]*<\/h2>\s*(?=<h2\b|$)/g, "");
  let number = 0;
  filled = filled.replaceAll(/(<h2\b[^>]*>)\d+\./g, (_, tag) => `${tag}${++number}.`);
  for (const [name, value] of Object.entries(words)) {
    const escaped = value.replaceAll("&", "&amp;");
    filled = filled.replaceAll(`{${name}}`, escaped).replaceAll(`%7B${name}%7D`, escaped);
  }
  return filled;
}
