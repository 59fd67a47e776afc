import { legalWords } from "#content/legal";
import styles from "./legal-text.module.css";

interface LegalTextProps {
  title: string;
  /** The Markdown of `content/legal/`, as HTML; our own words, so nothing in it needs escaping. */
  html: string;
}

export function LegalText({ title, html }: LegalTextProps) {
  return (
    <article className={styles.legal}>
      <h1>{title}</h1>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the text is a file of ours, read at build time. */}
      <div className={styles.text} dangerouslySetInnerHTML={{ __html: fillIn(html) }} />
    </article>
  );
}

/** The company, the app and the address come from `content/brand.ts`; Markdown may have escaped the braces of a link. */
function fillIn(html: string) {
  let filled = html;
  for (const [word, meaning] of Object.entries(legalWords)) {
    const written = meaning.replaceAll("&", "&amp;");
    filled = filled.replaceAll(`{${word}}`, written).replaceAll(`%7B${word}%7D`, written);
  }
  return filled;
}
