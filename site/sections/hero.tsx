import { hero } from "#content/landing";
import { figureLabel } from "#content/language";
import { Button } from "../components/button";
import { GrowingFern } from "../drawings/growing-fern";
import { fernStyles } from "../drawings/hero-fern";
import { Rhizome } from "../drawings/rhizome";
import styles from "./hero.module.css";

const [start, underlined] = hero.headline;
const isLong = hero.headline.join(" ").length > 60;

/** The first section of the landing page. The ground line of its drawing crosses the whole page. */
export function Hero() {
  return (
    <section id="hero" className={styles.hero} aria-labelledby="hero-headline">
      <div className={styles.inner}>
        <div className={styles.text} data-long={isLong || undefined}>
          <h1 id="hero-headline">
            {start} <span>{underlined}</span>
          </h1>
          <div>
            <p className={`lead ${styles.lead}`}>{hero.lead}</p>
            <p className={`row ${styles.actions}`}>
              <Button href={hero.workWithUs.href}>{hero.workWithUs.label}</Button>
              <Button href={hero.seeOurWork.href} variant="quiet">
                {hero.seeOurWork.label}
              </Button>
            </p>
          </div>
        </div>
        <figure className={styles.figure}>
          <style>{fernStyles(hero.steps.length)}</style>
          {/* The drawing comes last and its place is kept, so that nothing moves while the rest of the page arrives. */}
          <figcaption className="soft">
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
