import type { imprint } from "#content/imprint";
import styles from "./legal-text.module.css";

export function Imprint({ title, sections }: typeof imprint) {
  return (
    <article className={styles.legal}>
      <h1>{title}</h1>
      <div className={styles.text}>
        {sections.map(({ heading, lines }) => (
          <section key={heading}>
            <h2>{heading}</h2>
            {lines.map((line) => (
              <p key={line} className={styles.line}>
                <Line text={line} />
              </p>
            ))}
          </section>
        ))}
      </div>
    </article>
  );
}

/** The words around an email address stay text. */
function Line({ text }: { text: string }) {
  const [before, address, after] = text.split(/(\S+@[\w.-]*\w)/);
  if (!address) return text;
  return (
    <>
      {before}
      <a href={`mailto:${address}`}>{address}</a>
      {after}
    </>
  );
}
