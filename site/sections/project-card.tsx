import type { Project } from "#content/projects";
import { ProjectScene } from "../drawings/project-scene";
import { type BuiltPicture, Picture } from "../pictures/picture";
import firstStyles from "./first-project.module.css";
import styles from "./project-card.module.css";
import { Stem } from "./stem";

interface ShownProject extends Omit<Project, "picture"> {
  picture: BuiltPicture | undefined;
  /** The number of its figure. */
  figure: number;
}

/** The first project is as wide as the window. The forest of the trail scene is behind its words. */
export function FirstProject(project: ShownProject) {
  const isForest = project.scene === "trail" && !project.picture;
  return (
    <article className={isForest ? `${firstStyles.first} ${firstStyles.forest}` : firstStyles.first}>
      <Stem place="between" pieces={10} />
      <ProjectParts {...project} classes={firstStyles} />
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
        {status && <p className={styles.status}>{status}</p>}
      </div>
      <figure className={classes.figure}>
        {picture ? <Picture {...picture} sizes="(width >= 56rem) 55vw, 100vw" /> : <ProjectScene of={scene} />}
        <figcaption className={styles.caption}>
          Fig. {figure}. {caption}
        </figcaption>
      </figure>
      <div className={classes.body}>
        <p>{description}</p>
        {link && (
          <a className={styles.link} href={link.href}>
            {link.text}
          </a>
        )}
      </div>
    </>
  );
}
