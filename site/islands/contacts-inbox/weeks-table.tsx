import { inboxWords } from "#content/inbox";
import { chartWords } from "#content/weeks-chart";
import { formatTime } from "./contact-text";
import type { WeekSeries } from "./week-series";
import styles from "./weeks-table.module.css";

/** The numbers of the chart, the newest week first. */
export function WeeksTable({ mondays, all, interests }: WeekSeries) {
  const columns = [...interests, all];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroller} tabIndex={0} aria-label={chartWords.caption}>
      <table className={styles.table}>
        <caption>{chartWords.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{chartWords.week}</th>
            {columns.map(({ label }) => (
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
                {columns.map(({ label, counts }) => (
                  <td key={label}>{inboxWords.number(counts[index] ?? 0)}</td>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{chartWords.all}</th>
            {columns.map(({ label, total }) => (
              <td key={label}>{inboxWords.number(total)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** The dates are in UTC, because the database counts weeks in UTC. */
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
