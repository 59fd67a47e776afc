import { proofWords, type Screenshot, screenshots } from "#content/people-and-customers";
import { projects } from "#content/projects";
import { type BuiltPicture, Picture } from "../pictures/picture";
import styles from "./screenshots.module.css";
import { SectionHeading } from "./section-heading";
import { Stem } from "./stem";

interface ScreenshotsProps {
  entries?: readonly Screenshot[];
  /** The pictures by the names of their files. */
  pictures: Readonly<Record<string, BuiltPicture>>;
}

/** The name of its project is before the caption of a screenshot. */
export function Screenshots({ entries = screenshots, pictures }: ScreenshotsProps) {
  const shown = entries.flatMap(({ file, ...words }) => {
    const picture = pictures[file];
    return picture ? [{ ...words, picture }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <section className={`section ${styles.screenshots}`} aria-labelledby="screenshots-heading">
      <Stem />
      <SectionHeading id="screenshots-heading" {...proofWords.screenshots} size="small" />
      <ul>
        {[...shown.filter(isWide), ...shown.filter((each) => !isWide(each))].map(({ project, caption, picture }) => {
          const name = projects.find(({ slug }) => slug === project)?.name;
          return (
            <li key={picture.src} className={isWide({ picture }) ? styles.wide : undefined}>
              <figure>
                <Picture {...picture} sizes="(width >= 60rem) 33vw, 100vw" />
                <figcaption className="caption">
                  {name && <strong>{name}: </strong>}
                  {caption}
                </figcaption>
              </figure>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function isWide({ picture }: { picture: BuiltPicture }): boolean {
  return picture.width > picture.height;
}
