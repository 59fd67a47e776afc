import { servicesIntroduction } from "#content/landing";
import { services } from "#content/services";
import { Button } from "../components/button";
import { ServiceDrawing } from "../drawings/service-drawing";
import { SectionHeading } from "./section-heading";
import styles from "./services.module.css";
import { Stem } from "./stem";

export function Services() {
  const { label, claim, lead, call, calendar, callTerms } = servicesIntroduction;
  return (
    <section id="services" className={`section ${styles.services}`} aria-labelledby="services-heading">
      <Stem />
      <div className={styles.introduction}>
        <SectionHeading id="services-heading" label={label} claim={claim} />
        <p className="lead">{lead}</p>
      </div>
      <ul className={styles.cards}>
        {services.map((service) => (
          <li key={service.slug} className={styles.card}>
            <ServiceDrawing service={service} />
            <div className={styles.text}>
              <h3>{keepWordsWhole(service.name)}</h3>
              <p className="soft">{service.description}</p>
            </div>
          </li>
        ))}
      </ul>
      <p className={`soft row ${styles.callToAction}`}>
        <Button href={call.href}>{call.label}</Button>
        {calendar.href && (
          <a href={calendar.href} rel="noreferrer">
            {calendar.label}
          </a>
        )}
        <span>{callTerms}</span>
      </p>
    </section>
  );
}

/** A word with a hyphen, such as "Co-Development", does not break at it. The text stays the same. */
function keepWordsWhole(name: string) {
  return name.split(/(\S+-\S+)/).map((part) =>
    part.includes("-") ? (
      <span key={part} className={styles.whole}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}
