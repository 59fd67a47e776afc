import { caseStudiesIntroduction } from "#content/landing";
import { type Project, projects } from "#content/projects";
import { ProjectScene } from "../drawings/project-scene";
import { type BuiltPicture, Picture } from "../pictures/picture";
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
  const [first, ...others] = all.map((project, index) => (
    <ProjectCard
      key={project.slug}
      {...project}
      isFirst={index === 0}
      figure={index + 2}
      picture={pictures[project.slug]}
    />
  ));
  return (
    <section id="case-studies" aria-labelledby="case-studies-heading">
      <div className={styles.introduction}>
        <SectionHeading id="case-studies-heading" label={label} claim={claim} />
        <p>{lead}</p>
        <Stem pieces={4} />
      </div>
      <div id="current-projects" className={styles.projects}>
        <h3>{projectsLabel}</h3>
        {first}
        <div className={styles.others}>
          {others}
          <Stem />
        </div>
      </div>
    </section>
  );
}

interface ProjectCardProps extends Omit<Project, "picture"> {
  isFirst: boolean;
  figure: number;
  picture: BuiltPicture | undefined;
}

/** Figure 1 is the drawing at the top of the page. */
function ProjectCard({ isFirst, figure, picture, scene = "seedling", ...words }: ProjectCardProps) {
  const { name, description, status, link, caption } = words;
  const isForest = isFirst && !picture && scene === "trail";
  const look = [styles.project, isFirst && styles.first, isForest && styles.forest];
  return (
    <article className={look.filter(Boolean).join(" ")}>
      {isFirst && <Stem pieces={10} />}
      <div className={styles.head}>
        <h4>{name}</h4>
        {status && <p className={styles.status}>{status}</p>}
      </div>
      <figure className={styles.figure}>
        {picture ? <Picture {...picture} sizes="(width >= 56rem) 55vw, 100vw" /> : <ProjectScene of={scene} />}
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
