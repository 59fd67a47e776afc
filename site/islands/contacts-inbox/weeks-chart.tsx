import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { inboxWords } from "#content/inbox";
import { chartWords } from "#content/weeks-chart";
import { Button } from "../../components/button";
import { formatTime } from "./contact-text";
import { type WeekSeries, weeks } from "./week-series";
import styles from "./weeks-chart.module.css";
import { WeeksTable } from "./weeks-table";

/** How many contacts came in each of the last weeks, in all and for each interest (docs/specification.md#contacts-per-week). */
export function WeeksChart() {
  const { data } = useQuery(weeks);
  return data && data.all.total > 0 ? <Chart {...data} /> : null;
}

/**
 * Each interest has a row of bars of its own with its name beside it, so that no colour has to be told from another one.
 * A screen reader gets the totals, and all numbers from the table.
 */
function Chart({ mondays, all, interests }: WeekSeries) {
  const [open, toggleOpen] = useOpen();
  const [hasTable, setHasTable] = useState(false);
  const id = useId();
  const mostOfAll = Math.max(1, ...all.counts);
  const most = Math.max(1, ...interests.flatMap(({ counts }) => counts));
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
        <figure className={styles.picture} aria-label={chartWords.title}>
          <Axes mondays={mondays} most={mostOfAll}>
            <Bars counts={all.counts} most={mostOfAll} />
          </Axes>
          <div className={styles.byInterest}>
            <p>{chartWords.byInterest}</p>
            <ul className={styles.interests}>
              {interests.map(({ label, counts, total }) => (
                <li key={label}>
                  <span>{label}</span> <span className={styles.total}>{inboxWords.number(total)}</span>
                  <Bars counts={counts} most={most} />
                </li>
              ))}
            </ul>
          </div>
        </figure>
        <Button variant="plain" aria-expanded={hasTable} onClick={() => setHasTable(!hasTable)}>
          {hasTable ? chartWords.hideTable : chartWords.showTable}
        </Button>
        {hasTable && <WeeksTable mondays={mondays} all={all} interests={interests} />}
      </div>
    </section>
  );
}

/** The scale of the picture: the highest number and zero on the left, the months below. */
function Axes({ mondays, most, children }: { mondays: readonly string[]; most: number; children: ReactNode }) {
  return (
    <div className={styles.axes} aria-hidden="true">
      <p className={styles.scale}>
        <span>{compact.format(most)}</span>
        <span>0</span>
      </p>
      {children}
      <ol className={styles.months}>
        {mondays.map((week, index) => (
          <li key={week}>{isFirstOfMonth(week, mondays[index - 1]) && formatTime(week, month)}</li>
        ))}
      </ol>
    </div>
  );
}

const barWidth = 10;

/** The bars are one shape, which stretches to the width of its place. */
function Bars({ counts, most }: { counts: readonly number[]; most: number }) {
  const bars = counts.map((count, index) => {
    const height = (count / most) * 100;
    return count > 0 ? `M${index * barWidth + 1} 100v${-height}h${barWidth - 2}v${height}z` : "";
  });
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${counts.length * barWidth} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={bars.join("")} />
    </svg>
  );
}

/** The first week of the chart has its month only if at least two more weeks of that month follow. */
function isFirstOfMonth(week: string, before: string | undefined): boolean {
  return before === undefined ? Number(week.slice(8)) <= 14 : week.slice(0, 7) !== before.slice(0, 7);
}

const openKey = "inbox-chart";

/** Whether the chart is open: as this browser remembers it, else where there is room. */
function useOpen(): [boolean, () => void] {
  const [open, setOpen] = useState(isOpenAtFirst);
  function toggle() {
    setOpen(!open);
    try {
      window.localStorage.setItem(openKey, String(!open));
    } catch {
      // The browser's storage is switched off, so the choice lasts as long as the page.
    }
  }
  return [open, toggle];
}

function isOpenAtFirst(): boolean {
  const hasRoom = matchMedia("(width >= 48rem)").matches;
  try {
    return (window.localStorage.getItem(openKey) ?? String(hasRoom)) === "true";
  } catch {
    return hasRoom;
  }
}

/** The dates are in UTC, because the database counts weeks in UTC. */
const month = new Intl.DateTimeFormat(undefined, { month: "short", timeZone: "UTC" });
/** The notation is compact ("1K"), because the scale is narrow. */
const compact = new Intl.NumberFormat(undefined, { notation: "compact" });
