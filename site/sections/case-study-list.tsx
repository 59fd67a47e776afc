import { proofWords } from "#content/proof";
import type { CaseStudy } from "../case-studies";
import styles from "./case-study-list.module.css";
import { Stem } from "./stem";

/** On the landing page, the first figure of each case study with the way to it. */
export function CaseStudyList({ all }: { all: readonly CaseStudy[] }) {
  if (all.length === 0) return null;
  return (
    <div className={styles.studies}>
      <Stem place="between" pieces={4} />
      <h3>{proofWords.caseStudies.list}</h3>
      <ul>
        {all.map(({ page, title, client, results: [first] }) => (
          <li key={page.path}>
            <p className={styles.figure}>
              <strong>{first?.value}</strong> {first?.label}{" "}
              <small>
                {first?.time}. {first?.source}.
              </small>
            </p>
            <h4>
              <a href={page.path}>{title}</a>
            </h4>
            <p>{client}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
