import type { CaseStudy } from "../case-studies";
import { GrowthChart } from "../drawings/growth-chart";
import styles from "./case-study-list.module.css";
import { Stem } from "./stem";

/** On the landing page, the first figure of each case study with the way to it. */
export function CaseStudyList({ all }: { all: readonly CaseStudy[] }) {
  const firstWithChart = all.find(({ results: [first] }) => first?.chart);
  return (
    <div className={styles.studies}>
      <Stem place="between" pieces={8} />
      <ul>
        {all.map(({ page, title, client, quote, results: [first] }, index) => (
          <li key={page.path}>
            <div className={styles.words}>
              <h3>
                <a href={page.path}>{title}</a>
              </h3>
              <p className="soft">{client}</p>
            </div>
            <p className={styles.figure}>
              <strong className={first && first.value.length > 6 ? styles.long : undefined}>{first?.value}</strong>{" "}
              <span>{first?.label}</span>{" "}
              <small className="small soft">
                {first?.time}. {first?.source}.
              </small>
            </p>
            {first?.chart && (
              <GrowthChart
                {...first.chart}
                leaflets={page === firstWithChart?.page ? "define" : "use"}
                height={index === 0 ? 200 : 130}
              />
            )}
            {quote && (
              <figure className={styles.quote}>
                <blockquote className="display">“{quote.text}”</blockquote>
                <figcaption className="soft">
                  {quote.name}, {quote.role}
                </figcaption>
              </figure>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
