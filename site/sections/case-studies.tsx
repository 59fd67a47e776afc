import { caseStudiesIntroduction } from "#content/landing";
import { type Project, projects } from "#content/projects";
import { ProjectScene } from "../drawings/project-scene";
import type { BuiltPicture } from "../pictures/project-pictures";
import styles from "./case-studies.module.css";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";

interface CaseStudiesProps {
  all?: readonly Project[];
  /** The pictures of the projects that have one, by slug. */
  pictures?: Readonly<Record<string, BuiltPicture>>;
}

/**
 * The section and the part with its projects have an id that links can point to (docs/specification.md#anchors). The
 * first project is as wide as the window. The others stand in pairs of unequal width.
 */
export function CaseStudies({ all = projects, pictures = {} }: CaseStudiesProps) {
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
        {all.map((project, index) => (
          <ProjectCard key={project.slug} {...project} figure={index + 2} picture={pictures[project.slug]} />
        ))}
      </div>
    </section>
  );
}

type ProjectCardProps = Omit<Project, "picture"> & { figure: number; picture: BuiltPicture | undefined };

/** Figure 1 is the drawing at the top of the page. */
function ProjectCard({
  name,
  description,
  status,
  link,
  caption,
  scene = "seedling",
  picture,
  figure,
}: ProjectCardProps) {
  const isForest = !picture && scene === "trail";
  return (
    <article className={isForest ? `${styles.project} ${styles.forest}` : styles.project}>
      <div className={styles.head}>
        <h4>{name}</h4>
        {status && <p className={styles.status}>{status}</p>}
      </div>
      <figure className={styles.figure}>
        {picture ? <Picture {...picture} /> : <ProjectScene of={scene} />}
        <figcaption>
          Fig. {figure}. {caption}
        </figcaption>
      </figure>
      <div className={styles.body}>
        <p>{description}</p>
        {link && (
          <a className={styles.link} href={link.href}>
            {link.text}
          </a>
        )}
      </div>
    </article>
  );
}

/** The browser loads the picture when a visitor comes near it. Its place is free from the start. */
function Picture({ alt, avif, webp, src, width, height }: BuiltPicture) {
  const sizes = "(width >= 56rem) 55vw, 100vw";
  return (
    <picture>
      <source type="image/avif" srcSet={avif} sizes={sizes} />
      <img
        src={src}
        srcSet={webp}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
      />
    </picture>
  );
}
