import { hero } from "#content/landing";
import { figureLabel } from "#content/language";
import { Button } from "../components/button";
import { GrowingFern } from "../drawings/growing-fern";
import { Rhizome } from "../drawings/rhizome";
import { isLongHeadline } from "./estimated-text-width";
import styles from "./hero.module.css";

/** The first section of the landing page. The ground line of its drawing crosses the whole page. */
export function Hero() {
  return (
    <section id="hero" className={styles.hero} aria-labelledby="hero-headline">
      <div className={styles.inner}>
        <div className={styles.text} data-long={isLongHeadline(hero.headline) || undefined}>
          {/* The line breaks are fixed: a fallback font that breaks the headline elsewhere would move the page. */}
          <h1 id="hero-headline">
            {hero.headline.map((line) => (
              <span key={line} className={styles.line}>
                <span>{line}</span>{" "}
              </span>
            ))}
          </h1>
          <div>
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
          {/* The drawing comes last and its place is kept, so that nothing moves while the rest of the page arrives. */}
          <figcaption>
            {figureLabel(1)} {hero.caption}
          </figcaption>
          <p className={styles.axis}>{hero.axis}</p>
          <ol className={styles.steps}>
            {hero.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <GrowingFern title={hero.figure} steps={hero.steps.length} />
          <Rhizome />
        </figure>
      </div>
    </section>
  );
}
