import { about } from "#content/landing";
import { StemTip, ToothedLeaf } from "../drawings/stem-parts";
import styles from "./about.module.css";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";

/** The principles are set like field notes, each beside a leaf: of the section's stem on a phone, else of a side shoot. */
export function About() {
  return (
    <section id="about" className="section" aria-labelledby="about-heading">
      <Stem place="first" />
      <div className={styles.statement}>
        <SectionHeading id="about-heading" size="large" label={about.label} claim={about.claim} />
        <p className="accent">{about.continuation}</p>
      </div>
      <div className={styles.notes}>
        <div className={styles.branch} aria-hidden="true" />
        <div className={styles.shoot} aria-hidden="true" />
        <StemTip className={styles.tip} />
        <ul>
          {about.principles.map(({ name, text }) => (
            <li key={name} className="node">
              <ToothedLeaf className={styles.leaf} />
              <h3>{name}</h3>
              <p className="soft">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
