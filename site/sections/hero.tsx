import { hero } from "#content/landing";
import { Button } from "../components/button";
import { GrowingFern } from "../drawings/growing-fern";
import styles from "./hero.module.css";

export function Hero() {
  return (
    <section id="hero" className={styles.hero} aria-labelledby="hero-headline">
      <div className={styles.words}>
        <h1 id="hero-headline">
          {hero.headline.start} <span className={styles.underlined}>{hero.headline.end}</span>
        </h1>
        <p className={styles.lead}>{hero.lead}</p>
        <p className={styles.actions}>
          <Button href={hero.workWithUs.href}>{hero.workWithUs.label}</Button>
          <Button href={hero.seeOurWork.href} variant="quiet">
            {hero.seeOurWork.label}
          </Button>
        </p>
      </div>
      <GrowingFern className={styles.drawing} title={hero.figure} />
    </section>
  );
}
