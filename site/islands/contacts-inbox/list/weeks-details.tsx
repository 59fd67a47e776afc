import type { ReactNode } from "react";
import { chartWords, inboxWords } from "#content/inbox";
import { language } from "#content/language";
import { formatTime } from "../contact-text";
import styles from "./weeks-chart.module.css";

export interface WeekSeries {
  /** The Mondays of the weeks, the oldest first. */
  mondays: readonly string[];
  /** For each interest and, last, for all together. */
  columns: readonly Series[];
  all: Series;
}

/** One number for each week. */
interface Series {
  label: string;
  counts: readonly number[];
  total: number;
}

interface WeeksDetailsProps extends WeekSeries {
  bars: ReactNode;
}

/** The chart with its scale, and all its numbers. */
export function WeeksDetails(series: WeeksDetailsProps) {
  return (
    <div className={styles.chart}>
      <div className={styles.head}>
        <h2>{chartWords.title}</h2>
        <p>{chartWords.total(inboxWords.number(series.all.total), series.mondays.length)}</p>
      </div>
      <Picture {...series} />
      <Table {...series} />
    </div>
  );
}

/** The bars with their scale on the left and the months below. A screen reader gets all numbers from the table. */
function Picture({ mondays, all: { counts }, bars }: WeeksDetailsProps) {
  return (
    <figure className={styles.picture} aria-label={chartWords.title}>
      <p className={styles.scale} aria-hidden="true">
        <span>{compact.format(Math.max(1, ...counts))}</span>
        <span>0</span>
      </p>
      {bars}
      <ol className={styles.months} aria-hidden="true">
        {mondays.map((week, index) => (
          <li key={week}>{isFirstOfMonth(week, mondays[index - 1]) && formatTime(week, month)}</li>
        ))}
      </ol>
    </figure>
  );
}

/** The first week of the chart has its month only if at least two more weeks of that month follow. */
function isFirstOfMonth(week: string, before: string | undefined): boolean {
  return before === undefined ? Number(week.slice(8)) <= 14 : week.slice(0, 7) !== before.slice(0, 7);
}

/** The numbers of the chart, also for each interest, the newest week first. */
function Table({ mondays, columns }: WeeksDetailsProps) {
  const row = (numbers: readonly number[]) =>
    columns.map(({ label }, index) => <td key={label}>{inboxWords.number(numbers[index] ?? 0)}</td>);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroller} tabIndex={0} aria-label={chartWords.caption}>
      <table>
        <caption>{chartWords.caption}</caption>
        <thead>
          <tr>
            {[chartWords.week, ...columns.map(({ label }) => label)].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {mondays
            .map((week, index) => (
              <tr key={week}>
                <th scope="row">{formatTime(week, date)}</th>
                {row(columns.map(({ counts }) => counts[index] ?? 0))}
              </tr>
            ))
            .reverse()}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{chartWords.all}</th>
            {row(columns.map(({ total }) => total))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** The dates are in UTC, because the database counts weeks in UTC. */
const month = new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" });
const date = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });
/** The notation is compact ("1K"), because the scale is narrow. */
const compact = new Intl.NumberFormat(language, { notation: "compact" });
