import { caseStudiesIntroduction } from "#content/landing";
import { proofWords } from "#content/people-and-customers";
import { type Project, projects } from "#content/projects";
import type { CaseStudy } from "../case-studies";
import type { BuiltPicture } from "../pictures/picture";
import styles from "./case-studies.module.css";
import { CaseStudyList } from "./case-study-list";
import { ProjectCard, WideProjectCard } from "./project-cards";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";

interface CaseStudiesProps {
  all?: readonly Project[];
  /** The pictures of the projects that have one, by slug. */
  pictures?: Readonly<Record<string, BuiltPicture>>;
  forClients?: readonly CaseStudy[];
}

/** The section and the part with its projects have an id that links can point to (docs/specification.md#anchors). */
export function CaseStudies({ all = projects, pictures = {}, forClients = [] }: CaseStudiesProps) {
  const { label, claim, projects: projectsLabel } = caseStudiesIntroduction;
  const { caseStudies: clientWork } = proofWords;
  const hasClients = forClients.length > 0;
  const [first, ...others] = all.map((project, index) => ({
    ...project,
    picture: pictures[project.slug],
    // Figure 1 is the drawing at the top of the page.
    figure: index + 2,
  }));
  return (
    <section id="case-studies" aria-labelledby="case-studies-heading">
      <div className={styles.introduction}>
        <SectionHeading id="case-studies-heading" label={label} claim={hasClients ? clientWork.claim : claim} />
        {hasClients && <p className="lead">{clientWork.lead}</p>}
        <Stem pieces={4} />
      </div>
      <div id="current-projects">
        {hasClients && <CaseStudyList all={forClients} />}
        <div className={styles.projects}>
          <h3 className="label">
            {projectsLabel} {hasClients && <span>{clientWork.afterProjects}</span>}
          </h3>
          {first && <WideProjectCard {...first} />}
          <div className={styles.others}>
            {others.map((project) => (
              <ProjectCard key={project.slug} {...project} />
            ))}
            <Stem place="between" />
          </div>
        </div>
      </div>
    </section>
  );
}
