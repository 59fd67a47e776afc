import { queryOptions, useQuery } from "@tanstack/react-query";
import { contactWords } from "#content/contact";
import { chartWords, inboxWords } from "#content/inbox";
import { lazyContent, Popover } from "../../../components/popover";
import { unwrap } from "../../../supabase/load-error";
import { countByWeek, type WeekCount } from "../../../supabase/read-contacts";
import styles from "./this-week.module.css";
import type { WeekSeries } from "./weeks";

const Weeks = lazyContent(async () => (await import("../on-demand")).Weeks);

/** The counts. If they cannot be read, the inbox shows no number of this week and no message. */
export const weeks = queryOptions({
  queryKey: ["weeks"],
  queryFn: async () => toSeries(unwrap(await countByWeek())),
  staleTime: 30_000,
});

/** How many contacts came this week, beside small bars of the last weeks (docs/specification.md#contacts-per-week). */
export function ThisWeek() {
  const { data } = useQuery(weeks);
  if (!data || data.all.total === 0) return null;
  const thisWeek = chartWords.thisWeek(inboxWords.number(data.all.counts.at(-1) ?? 0));
  const button = (
    <span className={styles.sparkline}>
      <Bars counts={data.all.counts} />
      {thisWeek}
    </span>
  );
  return (
    <Popover variant="plain" button={button} aria-label={`${chartWords.title}: ${thisWeek}`} label={chartWords.title}>
      <Weeks {...data} />
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
  const interests = contactWords.interests.map(({ value, label }) =>
    series(
      label,
      rows.filter(({ interest }) => interest === value),
    ),
  );
  return { mondays, columns: [...interests, all], all };
}
