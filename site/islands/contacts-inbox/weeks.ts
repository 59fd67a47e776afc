import { queryOptions } from "@tanstack/react-query";
import { countByWeek } from "../../supabase/inbox";

/** What the chart shows. Nobody misses it when it cannot be read. */
export const weeks = queryOptions({
  queryKey: ["weeks"],
  queryFn: async () => {
    const reading = await countByWeek();
    if (!reading.ok) throw new Error(reading.message);
    return reading.value;
  },
  staleTime: 30_000,
  retry: false,
  networkMode: "always",
});
