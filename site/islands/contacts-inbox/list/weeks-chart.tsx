import { queryOptions, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { contactWords } from "#content/contact";
import { chartWords, inboxWords } from "#content/inbox";
import { withStorage } from "../../../supabase/browser-storage";
import { unwrap } from "../../../supabase/load-error";
import { countByWeek, type WeekCount } from "../../../supabase/read-contacts";
import { formatTime } from "../contact-text";
import styles from "./weeks-chart.module.css";

/** The counts for the chart. If they cannot be read, the inbox shows no chart and no message. */
export const weeks = queryOptions({
  queryKey: ["weeks"],
  queryFn: async () => toSeries(unwrap(await countByWeek())),
  staleTime: 30_000,
});

/** How many contacts came in each of the last weeks (docs/specification.md#contacts-per-week). */
export function WeeksChart() {
  const { data } = useQuery(weeks);
  return data && data.all.total > 0 ? <Chart {...data} /> : null;
}

/** The bars are a picture of the whole; a screen reader gets the totals, and all numbers from the table. */
function Chart(series: WeekSeries) {
  const { mondays, all } = series;
  const [open, toggleOpen] = useOpen();
  const id = useId();
  return (
    <section className={styles.chart} aria-labelledby={`${id}title`}>
      <div className={styles.head}>
        <h2 id={`${id}title`}>
          <button type="button" aria-expanded={open} aria-controls={id} onClick={toggleOpen}>
            {chartWords.title}
          </button>
        </h2>
        <p>
          <span className={styles.wide}>{chartWords.total(inboxWords.number(all.total), mondays.length)}, </span>
          {chartWords.thisWeek(inboxWords.number(all.counts.at(-1) ?? 0))}
        </p>
      </div>
      <div id={id} className={styles.body} hidden={!open}>
        <Bars mondays={mondays} counts={all.counts} />
        <details>
          <summary>{chartWords.table}</summary>
          <Table {...series} />
        </details>
      </div>
    </section>
  );
}

const barWidth = 10;

/** The bars are one shape, which stretches to the width of its place. The scale is on the left, the months below. */
function Bars({ mondays, counts }: { mondays: readonly string[]; counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, index) => {
    const height = (count / most) * 100;
    return count > 0 ? `M${index * barWidth + 1} 100v${-height}h${barWidth - 2}v${height}z` : "";
  });
  return (
    <figure className={styles.picture} aria-label={chartWords.title}>
      <p className={styles.scale} aria-hidden="true">
        <span>{compact.format(most)}</span>
        <span>0</span>
      </p>
      <svg viewBox={`0 0 ${counts.length * barWidth} 100`} preserveAspectRatio="none" aria-hidden="true">
        <path d={bars.join("")} />
      </svg>
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
function Table({ mondays, columns }: WeekSeries) {
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

interface WeekSeries {
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

function toSeries(rows: readonly WeekCount[]): WeekSeries {
  const mondays = [...new Set(rows.map(({ week }) => week))];
  const sum = (some: readonly WeekCount[]) => some.reduce((total, { contacts }) => total + contacts, 0);
  const series = (label: string, some: readonly WeekCount[]) => ({
    label,
    counts: mondays.map((monday) => sum(some.filter(({ week }) => week === monday))),
    total: sum(some),
  });
  const all = series(chartWords.all, rows);
  const interests = contactWords.interests.map(({ value, label }) => {
    return series(
      label,
      rows.filter(({ interest }) => interest === value),
    );
  });
  return { mondays, columns: [...interests, all], all };
}

const openKey = "inbox-chart";
const defaultOpen = () => String(matchMedia("(width >= 48rem)").matches);

/** Whether the chart is open: as this browser remembers it, else where there is room. */
function useOpen(): [boolean, () => void] {
  const [open, setOpen] = useState(
    () => (withStorage("localStorage", (storage) => storage.getItem(openKey)) ?? defaultOpen()) === "true",
  );
  function toggle() {
    setOpen(!open);
    withStorage("localStorage", (storage) => storage.setItem(openKey, String(!open)));
  }
  return [open, toggle];
}

/** The dates are in UTC, because the database counts weeks in UTC. */
const month = new Intl.DateTimeFormat(undefined, { month: "short", timeZone: "UTC" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
/** The notation is compact ("1K"), because the scale is narrow. */
const compact = new Intl.NumberFormat(undefined, { notation: "compact" });
