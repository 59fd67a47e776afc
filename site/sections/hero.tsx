import { hero } from "#content/landing";
import { Button } from "../components/button";
import { GrowingFern } from "../drawings/growing-fern";
import styles from "./hero.module.css";

/** The section's lower edge is the ground of the chart: words and fern stand on one line that runs across the page. */
export function Hero() {
  return (
    <section id="hero" className={styles.hero} aria-labelledby="hero-headline">
      <div className={styles.inner}>
        <div className={styles.words}>
          {/* Its lines are fixed: no font that is still on its way can break them elsewhere and move the page. */}
          <h1 id="hero-headline">
            {hero.headline.map((line) => (
              <span key={line} className={styles.line}>
                <span>{line}</span>{" "}
              </span>
            ))}
          </h1>
          <div className={styles.rest}>
            <p className={styles.lead}>{hero.lead}</p>
            <p className={styles.actions}>
              <Button href={hero.workWithUs.href}>{hero.workWithUs.label}</Button>
              <Button href={hero.seeOurWork.href} variant="quiet">
                {hero.seeOurWork.label}
              </Button>
            </p>
          </div>
        </div>
        <figure className={styles.figure}>
          <GrowingFern title={hero.figure} />
          <figcaption>{hero.caption}</figcaption>
        </figure>
      </div>
    </section>
  );
}
