import { contactWords } from "#content/contact";
import styles from "./next-steps.module.css";

/** What happens after a contact was sent. The steps are drawn as a stem with leaves. */
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
