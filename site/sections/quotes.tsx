import { proofWords, type Quote, quotes } from "#content/people-and-customers";
import styles from "./quotes.module.css";

/** What others say, on the panel of the reasons. */
export function Quotes({ entries = quotes }: { entries?: readonly Quote[] }) {
  if (entries.length === 0) return null;
  return (
    <div className={styles.quotes}>
      <h3 className="label accent">{proofWords.quotes}</h3>
      <ul>
        {entries.map(({ text, name, role, company }) => (
          <li key={`${name} ${text}`}>
            <figure>
              <blockquote className="display">“{text}”</blockquote>
              <figcaption className="soft">
                <strong>{name}</strong> {role}, {company}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </div>
  );
}
