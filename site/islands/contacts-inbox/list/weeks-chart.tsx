import { queryOptions, useQuery } from "@tanstack/react-query";
import { contactWords } from "#content/contact";
import { chartWords, inboxWords } from "#content/inbox";
import { lazyContent, Popover } from "../../../components/popover";
import { unwrap } from "../../../supabase/load-error";
import { countByWeek, type WeekCount } from "../../../supabase/read-contacts";
import styles from "./weeks-chart.module.css";
import type { WeekSeries } from "./weeks-details";

const WeeksDetails = lazyContent(async () => (await import("../on-demand")).WeeksDetails);

/** The counts for the chart. If they cannot be read, the inbox shows no chart and no message. */
export const weeks = queryOptions({
  queryKey: ["weeks"],
  queryFn: async () => toSeries(unwrap(await countByWeek())),
  staleTime: 30_000,
});

/** How many contacts came in each of the last weeks (docs/specification.md#contacts-per-week). */
export function WeeksChart() {
  const { data } = useQuery(weeks);
  if (!data || data.all.total === 0) return null;
  const { all } = data;
  const bars = <Bars counts={all.counts} />;
  const thisWeek = chartWords.thisWeek(inboxWords.number(all.counts.at(-1) ?? 0));
  const button = (
    <span className={styles.sparkline}>
      {bars}
      {thisWeek}
    </span>
  );
  return (
    <Popover variant="plain" button={button} aria-label={`${chartWords.title}: ${thisWeek}`} label={chartWords.title}>
      <WeeksDetails {...data} bars={bars} />
    </Popover>
  );
}

const barWidth = 10;

/** The bars are one shape, which stretches to the width of its place; the last week is a shape of its own. */
function Bars({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, index) => {
    const height = (count / most) * 100;
    return count > 0 ? `M${index * barWidth + 1} 100v${-height}h${barWidth - 2}v${height}z` : "";
  });
  return (
    <svg viewBox={`0 0 ${counts.length * barWidth} 100`} preserveAspectRatio="none" aria-hidden="true">
      <path d={bars.slice(0, -1).join("")} />
      <path d={bars.at(-1)} />
    </svg>
  );
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
    const some = rows.filter(({ interest }) => interest === value);
    return series(label, some);
  });
  return { mondays, columns: [...interests, all], all };
}
