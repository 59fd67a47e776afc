import { caseStudiesIntroduction } from "#content/landing";
import { projects } from "#content/projects";
import { ProjectScene } from "../drawings/project-scene";
import styles from "./case-studies.module.css";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";

/** The section and each of its cards have an id that links can point to (docs/specification.md#anchors). */
export function CaseStudies() {
  const { label, claim, lead, projects: projectsLabel } = caseStudiesIntroduction;
  return (
    <section id="case-studies" className={styles.section} aria-labelledby="case-studies-heading">
      <Stem />
      <div className={styles.introduction}>
        <SectionHeading id="case-studies-heading" label={label} claim={claim} />
        <p>{lead}</p>
      </div>
      <div id="current-projects" className={styles.projects}>
        <h3 className={styles.projectsLabel}>{projectsLabel}</h3>
        {projects.map(({ slug, name, description, status, link, imageAlt, caption }) => (
          <article key={slug} className={styles.project}>
            <figure className={styles.figure}>
              <ProjectScene of={slug} title={imageAlt} />
              <figcaption>{caption}</figcaption>
            </figure>
            <div className={styles.text}>
              <h4>{name}</h4>
              {status && <p className={styles.status}>{status}</p>}
              <p>{description}</p>
              {link && (
                <a className={styles.link} href={link.href}>
                  {link.text}
                </a>
              )}
            </div>
          </article>
        ))}
      </div>
    </section>
  );
}
