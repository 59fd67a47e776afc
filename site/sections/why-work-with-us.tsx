import { reasons, reasonsIntroduction } from "#content/reasons";
import { Button } from "../components/button";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";
import styles from "./why-work-with-us.module.css";

export function WhyWorkWithUs() {
  const { label, claim, call } = reasonsIntroduction;
  return (
    <section id="why-work-with-us" className={styles.section} aria-labelledby="why-heading">
      <Stem />
      <div className={styles.inner}>
        <SectionHeading id="why-heading" label={label} claim={claim} />
        <ol className={styles.reasons}>
          {reasons.map(({ name, text }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
        <Button href={call.href} variant="highlight">
          {call.label}
        </Button>
      </div>
    </section>
  );
}
