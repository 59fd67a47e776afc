import { queryOptions } from "@tanstack/react-query";
import { contactWords } from "#content/contact";
import { chartWords } from "#content/weeks-chart";
import { countByWeek, type WeekCount } from "../../supabase/count-by-week";
import { unwrap } from "./load-contacts";

/** The counts for the chart. If they cannot be read, the inbox shows no chart and no message. */
export const weeks = queryOptions({
  queryKey: ["weeks"],
  queryFn: async () => toSeries(unwrap(await countByWeek())),
  staleTime: 30_000,
});

interface Series {
  label: string;
  counts: readonly number[];
  total: number;
}

/** One number for each week, for all contacts and for each interest. */
export interface WeekSeries {
  /** The Mondays of the weeks, the oldest first. */
  mondays: readonly string[];
  all: Series;
  interests: readonly Series[];
}

function toSeries(rows: readonly WeekCount[]): WeekSeries {
  const mondays = [...new Set(rows.map(({ week }) => week))];
  const countsOf = (isIncluded: (row: WeekCount) => boolean) => {
    const sums = new Map<string, number>();
    for (const row of rows) if (isIncluded(row)) sums.set(row.week, (sums.get(row.week) ?? 0) + row.contacts);
    return mondays.map((week) => sums.get(week) ?? 0);
  };
  const series = (label: string, counts: readonly number[]) => ({
    label,
    counts,
    total: counts.reduce((sum, count) => sum + count, 0),
  });
  return {
    mondays,
    all: series(
      chartWords.all,
      countsOf(() => true),
    ),
    interests: contactWords.interests.map(({ value, label }) =>
      series(
        label,
        countsOf(({ interest }) => interest === value),
      ),
    ),
  };
}
