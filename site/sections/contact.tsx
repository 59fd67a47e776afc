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
    <section id="contact" className={styles.contact} aria-labelledby="contact-heading">
      <Stem />
      <div>
        <SectionHeading id="contact-heading" label={label} claim={claim} />
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
      <aside className={styles.nextSteps} aria-labelledby="next-heading">
        <h3 id="next-heading">{contactWords.next.title}</h3>
        <NextSteps />
        <p className={styles.mail}>
          {contactWords.mail} <a href={`mailto:${brand.email}`}>{brand.email}</a>
        </p>
      </aside>
    </section>
  );
}
