import { chartWords, inboxWords } from "#content/inbox";
import { formatTime } from "../data/contact-text";
import { Figures, FiguresTable } from "./figures";
import styles from "./figures.module.css";

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

/** The contacts of the last weeks, also for each interest, the newest week first (docs/specification.md#contacts-per-week). */
export function Weeks({ mondays, columns, all }: WeekSeries) {
  const rows = mondays.map((week, index) => ({
    key: week,
    label: <span className={styles.week}>{formatTime(week, date)}</span>,
    numbers: columns.map(({ counts }) => counts[index] ?? 0),
    contacts: all.counts[index] ?? 0,
  }));
  return (
    <Figures title={chartWords.title} aside={chartWords.total(inboxWords.number(all.total), mondays.length)}>
      <FiguresTable
        caption={chartWords.caption}
        columns={[chartWords.week, ...columns.map(({ label }) => label)]}
        rows={rows.reverse()}
        total={{ key: "all", label: chartWords.all, numbers: columns.map(({ total }) => total) }}
      />
    </Figures>
  );
}

/** In UTC, because the database counts weeks in UTC. */
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
