import { contactWords } from "#content/contact";
import { LeafPair } from "../drawings/leaf-pair";
import styles from "./next-steps.module.css";

/** What happens after a contact was sent. The steps are nodes of a small stem, with leaves between them. */
export function NextSteps() {
  return (
    <ol className={styles.steps}>
      {contactWords.next.steps.map(({ name, text }) => (
        <li key={name}>
          <LeafPair className={styles.leaves} />
          <LeafPair className={styles.leaves} />
          <strong>{name}</strong>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
