import { legalWords } from "#content/legal";
import styles from "./legal-text.module.css";

interface LegalTextProps {
  title: string;
  /** The Markdown of `content/legal/` as HTML. It is our own text, so it needs no escaping. */
  html: string;
}

export function LegalText({ title, html }: LegalTextProps) {
  return (
    <article className={styles.legal}>
      <h1>{title}</h1>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, read at build time */}
      <div className={styles.text} dangerouslySetInnerHTML={{ __html: fillIn(html) }} />
    </article>
  );
}

/** Replaces the placeholders in braces. In the address of a link, Markdown has encoded the braces as %7B and %7D. */
function fillIn(html: string) {
  let filled = html;
  for (const [name, value] of Object.entries(legalWords)) {
    const escaped = value.replaceAll("&", "&amp;");
    filled = filled.replaceAll(`{${name}}`, escaped).replaceAll(`%7B${name}%7D`, escaped);
  }
  return filled;
}
