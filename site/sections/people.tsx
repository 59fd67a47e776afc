import { type Person, people, proofWords } from "#content/proof";
import styles from "./people.module.css";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";

export function People({ entries = people }: { entries?: readonly Person[] }) {
  if (entries.length === 0) return null;
  return (
    <section className={styles.people} aria-labelledby="people-heading">
      <Stem />
      <SectionHeading id="people-heading" {...proofWords.people} size="small" />
      <ul>
        {entries.map(({ name, role, line }) => (
          <li key={name}>
            <span className={styles.portrait} aria-hidden="true">
              {initialsOf(name)}
            </span>
            <div>
              <h3>{name}</h3>
              <p className={styles.role}>{role}</p>
              <p>{line}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => word?.[0] ?? "").join("");
}
