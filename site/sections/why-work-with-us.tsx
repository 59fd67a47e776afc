import { reasons, reasonsIntroduction } from "#content/why-work-with-us";
import { Button } from "../components/button";
import { Frond, pairOfLeaflets } from "../drawings/frond";
import type { BuiltPicture } from "../pictures/picture";
import { Logos } from "./logos";
import { Quotes } from "./quotes";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";
import styles from "./why-work-with-us.module.css";

export function WhyWorkWithUs({ pictures }: { pictures: Readonly<Record<string, BuiltPicture>> }) {
  const { label, claim, call } = reasonsIntroduction;
  // One of the two is the largest text of the section.
  const hasFigure = reasons.some(({ figure }) => figure);
  const hasLongWord = claim.split(" ").some((word) => word.length > 8);
  return (
    <section id="why-work-with-us" className={`panel section ${styles.section}`} aria-labelledby="why-heading">
      <Stem />
      <Frond id={pairOfLeaflets} className={`screen-only ${styles.frond}`} pairs={15} heading={-80} bend={-4} />
      <SectionHeading
        id="why-heading"
        label={label}
        claim={claim}
        size={hasFigure ? "small" : hasLongWord ? "large" : "huge"}
      />
      <ul className={styles.reasons}>
        {reasons.map(({ name, text, ask, figure }) => (
          <li key={name} className={figure && styles.proven}>
            <h3>{name}</h3>
            {figure && (
              <p className={styles.figure}>
                <strong className={classOf(figure.value)}>{figure.value}</strong>{" "}
                <span>
                  {figure.label}{" "}
                  <small>
                    {figure.time}. {figure.source}.
                  </small>
                </span>
              </p>
            )}
            <p className="soft">
              {text} <a href={ask.href}>{ask.label}</a>
            </p>
          </li>
        ))}
      </ul>
      <Logos pictures={pictures} />
      <Quotes />
      <p>
        <Button href={call.href} variant="highlight">
          {call.label}
        </Button>
      </p>
    </section>
  );
}

/**
 * A long figure is smaller, so that it stays on one line. A character below the line, such as the comma of "14,000", needs
 * room above the label.
 */
export function classOf(figure: string): string {
  const size = figure.length > 9 ? styles.medium : figure.length > 6 ? styles.large : "";
  return `${size} ${/[,;gjpqyQ/()[\]|@$]/.test(figure) ? styles.descends : ""}`.trim();
}
