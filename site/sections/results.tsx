import { proofWords, type Result, results } from "#content/proof";
import styles from "./results.module.css";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";

export function Results({ entries = results }: { entries?: readonly Result[] }) {
  if (entries.length === 0) return null;
  const words = proofWords.results;
  return (
    <section className={styles.results} aria-labelledby="results-heading">
      <Stem />
      <SectionHeading id="results-heading" label={words.label} claim={words.claim} size="small" />
      <ul>
        {entries.map(({ of, figure, problem, method, source }) => (
          <li key={`${of} ${figure.label}`}>
            <p className={styles.figure}>
              <strong>{figure.value}</strong> {figure.label}
            </p>
            <h3>{of}</h3>
            <dl>
              <div>
                <dt>{words.problem}</dt>
                <dd>{problem}</dd>
              </div>
              <div>
                <dt>{words.method}</dt>
                <dd>{method}</dd>
              </div>
            </dl>
            <p className={styles.source}>
              {words.source}: {source}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
