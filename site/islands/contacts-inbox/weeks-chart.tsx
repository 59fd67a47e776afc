import { queryOptions, useQuery } from "@tanstack/react-query";
import { inboxWords } from "#content/inbox";
import { countByWeek, type Week } from "../../supabase/read-contacts";
import styles from "./weeks-chart.module.css";

const barHeightMax = 44;

/** The number of contacts in each week. If the numbers cannot be read, the inbox shows no chart and no message. */
export const weeks = queryOptions({
  queryKey: ["weeks"],
  queryFn: async () => {
    const result = await countByWeek();
    if (!result.ok) throw new Error(result.message);
    return result.value;
  },
  staleTime: 30_000,
  retry: false,
  networkMode: "always",
});

/** The last twelve weeks as bars; a screen reader gets a list of weeks and numbers. */
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
          <span className={styles.visuallyHidden}>{inboxWords.chart.week(dayAndMonth(week), week.contacts)}</span>
          {week.contacts > 0 && <span aria-hidden="true">{compact.format(week.contacts)}</span>}
          <svg className={styles.bar} height={Math.ceil((week.contacts / most) * barHeightMax)} aria-hidden="true">
            <rect width="100%" height="100%" />
          </svg>
        </li>
      ))}
    </ol>
  );
}

/** Formats the Monday of a week in UTC, because the database counts weeks in UTC. */
function dayAndMonth(week: Week | undefined): string {
  return week ? monday.format(new Date(week.week)) : "";
}

const monday = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
/** The notation is compact ("1K"), because a thousand must fit above a bar on a phone. */
const compact = new Intl.NumberFormat(undefined, { notation: "compact" });
