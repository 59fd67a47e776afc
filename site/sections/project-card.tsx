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
      <div className={styles.head}>
        <ProjectName {...project} />
      </div>
      <figure className={styles.figure}>
        <ProjectFigure {...project} />
      </figure>
      <div className={styles.body}>
        <ProjectDescription {...project} />
      </div>
    </article>
  );
}

export function ProjectName({ name, status }: ShownProject) {
  return (
    <>
      <h4>{name}</h4>
      {status && <p className={styles.status}>{status}</p>}
    </>
  );
}

export function ProjectFigure({ figure, picture, scene = "seedling", caption }: ShownProject) {
  return (
    <>
      {picture ? <Picture {...picture} sizes="(width >= 56rem) 55vw, 100vw" /> : <ProjectScene of={scene} />}
      <figcaption className={styles.caption}>
        Fig. {figure}. {caption}
      </figcaption>
    </>
  );
}

export function ProjectDescription({ description, link }: ShownProject) {
  return (
    <>
      <p>{description}</p>
      {link && (
        <a className={styles.link} href={link.href}>
          {link.text}
        </a>
      )}
    </>
  );
}
