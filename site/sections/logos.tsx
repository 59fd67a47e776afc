import { type CompanyLogo, logos, proofWords } from "#content/people-and-customers";
import { type BuiltPicture, Picture } from "../pictures/picture";
import styles from "./logos.module.css";

interface LogosProps {
  entries?: readonly CompanyLogo[];
  /** The pictures by the names of their files. */
  pictures: Readonly<Record<string, BuiltPicture>>;
}

/** Logos in one colour, on the panel of the reasons. */
export function Logos({ entries = logos, pictures }: LogosProps) {
  if (entries.length === 0) return null;
  return (
    <div className={styles.logos}>
      <h3 className="label accent">{proofWords.logos}</h3>
      <ul>
        {entries.map(({ name, file }) => {
          const picture = pictures[file];
          return <li key={name}>{picture ? <Picture {...picture} alt={name} sizes="10rem" /> : name}</li>;
        })}
      </ul>
    </div>
  );
}
