import { contactWords } from "#content/contact";
import styles from "./next-steps.module.css";

/** The steps after a contact was sent, as a stem with leaves. */
export function NextSteps() {
  return (
    <ol className={styles.steps}>
      {contactWords.next.steps.map(({ name, text }) => (
        <li key={name}>
          <strong>{name}</strong>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
