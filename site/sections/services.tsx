import { servicesIntroduction } from "#content/landing";
import { services } from "#content/services";
import { Button } from "../components/button";
import { ServiceDrawing } from "../drawings/service-drawing";
import { SectionHeading } from "./section-heading";
import styles from "./services.module.css";
import { Stem } from "./stem";

export function Services() {
  const { label, claim, lead, call, callTerms } = servicesIntroduction;
  return (
    <section id="services" className={styles.services} aria-labelledby="services-heading">
      <Stem />
      <div className={styles.inner}>
        <div className={styles.introduction}>
          <SectionHeading id="services-heading" label={label} claim={claim} />
          <p>{lead}</p>
        </div>
        <ul className={styles.cards}>
          {services.map(({ slug, name, description }) => (
            <li key={slug} className={styles.card}>
              <div>
                <h3>{name}</h3>
                <p>{description}</p>
              </div>
              <ServiceDrawing of={slug} />
            </li>
          ))}
        </ul>
        <p className={styles.callToAction}>
          <Button href={call.href}>{call.label}</Button>
          <span>{callTerms}</span>
        </p>
      </div>
    </section>
  );
}
