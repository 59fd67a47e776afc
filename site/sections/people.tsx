import { type Person, people, proofWords } from "#content/people-and-customers";
import { type BuiltPicture, Picture } from "../pictures/picture";
import styles from "./people.module.css";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";

interface PeopleProps {
  entries?: readonly Person[];
  /** The pictures by the names of their files. */
  pictures: Readonly<Record<string, BuiltPicture>>;
}

export function People({ entries = people, pictures }: PeopleProps) {
  if (entries.length === 0) return null;
  return (
    <section className={`section ${styles.people}`} aria-labelledby="people-heading">
      <Stem />
      <SectionHeading id="people-heading" {...proofWords.people} size="small" />
      <ul>
        {entries.map(({ name, role, line, portrait = "" }) => {
          const picture = pictures[portrait];
          return (
            <li key={name}>
              <span className={styles.portrait} aria-hidden="true">
                {picture ? <Picture {...picture} sizes="14rem" /> : initialsOf(name)}
              </span>
              <div>
                <h3>{name}</h3>
                <p className={`strong accent ${styles.role}`}>{role}</p>
                <p className="soft">{line}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => word?.[0] ?? "").join("");
}
