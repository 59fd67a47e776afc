import { figureLabel } from "#content/language";
import type { Project } from "#content/projects";
import { ProjectScene } from "../drawings/project-scene";
import { type BuiltPicture, Picture } from "../pictures/picture";
import styles from "./project-cards.module.css";
import { Stem } from "./stem";
import wideStyles from "./wide-project-card.module.css";

interface ShownProject extends Omit<Project, "picture"> {
  picture: BuiltPicture | undefined;
  /** The number of its figure. */
  figure: number;
}

/** The card of the first project is as wide as the window. The forest of the trail scene is behind its words. */
export function WideProjectCard(project: ShownProject) {
  const isForest = project.scene === "trail" && !project.picture;
  return (
    <article className={`panel ${wideStyles.card} ${isForest ? wideStyles.forest : ""}`}>
      <Stem place="between" pieces={10} />
      <ProjectParts {...project} classes={wideStyles} />
    </article>
  );
}

export function ProjectCard(project: ShownProject) {
  return (
    <article className={styles.card}>
      <ProjectParts {...project} classes={styles} />
    </article>
  );
}

interface ProjectPartsProps extends ShownProject {
  /** The classes that place `head`, `figure` and `body`. */
  classes: CSSModuleClasses;
}

function ProjectParts({ classes, figure, picture, scene = "seedling", ...words }: ProjectPartsProps) {
  const { name, status, caption, description, link } = words;
  return (
    <>
      <div className={classes.head}>
        <h4>{name}</h4>
        {status && <p className={`strong ${styles.status}`}>{status}</p>}
      </div>
      <figure className={classes.figure}>
        {picture ? <Picture {...picture} sizes="(width >= 56rem) 55vw, 100vw" /> : <ProjectScene of={scene} />}
        <figcaption className={`caption ${styles.caption}`}>
          {figureLabel(figure)} {caption}
        </figcaption>
      </figure>
      <div className={classes.body}>
        <p>{description}</p>
        {link && (
          <a className={`strong target ${styles.link}`} href={link.href}>
            {link.text}
          </a>
        )}
      </div>
    </>
  );
}
