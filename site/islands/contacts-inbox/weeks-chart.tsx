import { useQuery } from "@tanstack/react-query";
import { inboxWords } from "#content/inbox";
import type { Week } from "../../supabase/inbox";
import { weeks } from "./weeks";
import styles from "./weeks-chart.module.css";

const barHeightMax = 44;

/** How the last twelve weeks went, at a glance; who cannot see the bars reads their weeks and numbers as a list. */
export function WeeksChart() {
  const { data } = useQuery(weeks);
  if (!data || data.length === 0) return null;
  return (
    <figure className={styles.chart}>
      <Bars weeks={data} />
      <figcaption className={styles.legend}>
        <span aria-hidden="true">{dayAndMonth(data[0])}</span>
        <span>{inboxWords.chart.title}</span>
        <span aria-hidden="true">{inboxWords.chart.thisWeek}</span>
      </figcaption>
    </figure>
  );
}

function Bars({ weeks }: { weeks: readonly Week[] }) {
  const most = Math.max(1, ...weeks.map(({ contacts }) => contacts));
  return (
    <ol className={styles.bars}>
      {weeks.map((week) => (
        <li key={week.week}>
          <span className={styles.spoken}>{inboxWords.chart.week(dayAndMonth(week), week.contacts)}</span>
          {week.contacts > 0 && <span aria-hidden="true">{short.format(week.contacts)}</span>}
          <svg className={styles.bar} height={Math.ceil((week.contacts / most) * barHeightMax)} aria-hidden="true">
            <rect width="100%" height="100%" />
          </svg>
        </li>
      ))}
    </ol>
  );
}

/** The weeks are those of UTC, whoever looks at them. */
function dayAndMonth(week: Week | undefined): string {
  return week ? monday.format(new Date(week.week)) : "";
}

const monday = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
/** A thousand must fit above a bar on a phone. */
const short = new Intl.NumberFormat(undefined, { notation: "compact" });
