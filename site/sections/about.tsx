import { about } from "#content/landing";
import styles from "./about.module.css";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";

export function About() {
  return (
    <section id="about" className={styles.about} aria-labelledby="about-heading">
      <Stem first />
      <div className={styles.statement}>
        <SectionHeading id="about-heading" label={about.label} claim={about.claim} />
        <p>{about.continuation}</p>
      </div>
      <ul className={styles.principles}>
        {about.principles.map(({ name, text }) => (
          <li key={name}>
            <h3>{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
