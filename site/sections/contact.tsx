import type { ReactNode } from "react";
import { brand } from "#content/brand";
import { contactWords } from "#content/contact";
import { contactIntroduction } from "#content/landing";
import styles from "./contact.module.css";
import { NextSteps } from "./next-steps";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";

/** The form is passed in as children, because only an Astro file can make it an island (hydrate it). */
export function Contact({ children }: { children?: ReactNode }) {
  const { label, claim, lead } = contactIntroduction;
  return (
    <section id="contact" className={`section ${styles.contact}`} aria-labelledby="contact-heading">
      <Stem />
      {/* site/scripts/preselect-interest.ts chooses the interest of a link to one of these. */}
      {contactWords.interests.map(({ value }) => (
        <span key={value} id={`contact-${value}`} className={styles.anchor} />
      ))}
      <SectionHeading id="contact-heading" label={label} claim={claim} />
      <p className={`lead ${styles.lead}`}>
        {lead} {contactWords.mail.start}
        <a href={`mailto:${brand.email}`}>{brand.email}</a>
        {contactWords.mail.end}
      </p>
      <div className={styles.form}>{children}</div>
      <aside className={styles.nextSteps} aria-labelledby="next-heading">
        <h3 id="next-heading">{contactWords.next.title}</h3>
        <NextSteps />
      </aside>
    </section>
  );
}
