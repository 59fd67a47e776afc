import { queryOptions } from "@tanstack/react-query";
import { contactWords } from "#content/contact";
import { chartWords } from "#content/weeks-chart";
import { countByWeek, type WeekCount } from "../../../supabase/count-by-week";
import { unwrap } from "../load-error";

/** The counts for the chart. If they cannot be read, the inbox shows no chart and no message. */
export const weeks = queryOptions({
  queryKey: ["weeks"],
  queryFn: async () => toSeries(unwrap(await countByWeek())),
  staleTime: 30_000,
});

export interface WeekSeries {
  /** The Mondays of the weeks, the oldest first. */
  mondays: readonly string[];
  all: Series;
  interests: readonly Series[];
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
  const ofInterest = (value: string) => rows.filter(({ interest }) => interest === value);
  return {
    mondays,
    all: series(chartWords.all, rows),
    interests: contactWords.interests.map(({ value, label }) => series(label, ofInterest(value))),
  };
}
