import { contactWords } from "#content/contact";
import { SmallLeafPair } from "../drawings/stem-parts";
import styles from "./next-steps.module.css";

/** What happens after a contact was sent. The steps are nodes of a small stem, with leaves between them. */
export function NextSteps() {
  return (
    <ol className={styles.steps}>
      {contactWords.next.steps.map(({ name, text }) => (
        <li key={name} className="node">
          <SmallLeafPair className={styles.leaves} />
          <SmallLeafPair className={styles.leaves} />
          <strong>{name}</strong>
          <p className="soft">{text}</p>
        </li>
      ))}
    </ol>
  );
}
