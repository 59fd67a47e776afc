import { proofWords } from "#content/people-and-customers";
import type { CaseStudy } from "../case-studies";
import { Button } from "../components/button";
import { GrowthChart } from "../drawings/growth-chart";
import { Picture } from "../pictures/picture";
import styles from "./case-study-page.module.css";

const words = proofWords.caseStudies;

interface CaseStudyPageProps {
  study: CaseStudy;
  newer?: CaseStudy;
  older?: CaseStudy;
}

/** The page of a case study. */
export function CaseStudyPage({ study, newer, older }: CaseStudyPageProps) {
  const { title, client, industry, results, picture, problem, html, quote } = study;
  return (
    <article className={styles.study}>
      <header>
        <p className="strong accent">
          {words.label}: {industry}
        </p>
        <h1>{title}</h1>
        <p className={`lead ${styles.client}`}>{client}</p>
      </header>
      <section className={`panel ${styles.results}`} aria-labelledby="results-heading">
        <h2 id="results-heading" className="label accent">
          {words.results}
        </h2>
        <ul>
          {results.map(({ value, label, time, source, chart }) => (
            <li key={label}>
              <p className={styles.figure}>
                <strong>{value}</strong> {label}
              </p>
              <p className={`small soft ${styles.source}`}>
                {time}. {source}.
              </p>
              {chart && <GrowthChart {...chart} />}
            </li>
          ))}
        </ul>
      </section>
      {picture && (
        <figure>
          <Picture {...picture} sizes="100vw" />
        </figure>
      )}
      <div className={styles.text}>
        <h2>{words.problem}</h2>
        <p>{problem}</p>
        <h2>{words.method}</h2>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the owner's Markdown, read at build time */}
        <div dangerouslySetInnerHTML={{ __html: html }} />
      </div>
      {quote && (
        <figure className={`section ${styles.quote}`}>
          <blockquote>“{quote.text}”</blockquote>
          <figcaption className="soft">
            <strong>{quote.name}</strong>, {quote.role}
          </figcaption>
        </figure>
      )}
      <footer className={styles.next}>
        <p>
          <span className="label">{words.call.claim}</span> <Button href={words.call.href}>{words.call.label}</Button>
        </p>
        <Neighbour label={words.newer} study={newer} />
        <Neighbour label={words.older} study={older} />
      </footer>
    </article>
  );
}

function Neighbour({ label, study }: { label: string; study: CaseStudy | undefined }) {
  if (!study) return null;
  return (
    <p>
      <span className="label">{label}</span> <a href={study.page.path}>{study.title}</a>
    </p>
  );
}
