import styles from "./first-project.module.css";
import { ProjectParts, type ShownProject } from "./project-card";
import { Stem } from "./stem";

/** The first project is as wide as the window. The forest of the trail scene is behind its words. */
export function FirstProject(project: ShownProject) {
  const isForest = project.scene === "trail" && !project.picture;
  return (
    <article className={isForest ? `${styles.first} ${styles.forest}` : styles.first}>
      <Stem place="between" pieces={10} />
      <ProjectParts {...project} classes={styles} />
    </article>
  );
}
