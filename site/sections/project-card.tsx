import type { Project } from "#content/projects";
import { ProjectScene } from "../drawings/project-scene";
import { type BuiltPicture, Picture } from "../pictures/picture";
import styles from "./project-card.module.css";

export interface ShownProject extends Omit<Project, "picture"> {
  picture: BuiltPicture | undefined;
  /** The number of its figure. */
  figure: number;
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

export function ProjectParts({ classes, figure, picture, scene = "seedling", ...words }: ProjectPartsProps) {
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
