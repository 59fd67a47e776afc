import { useQuery } from "@tanstack/react-query";

/**
 * What an open contact may need later: the words of replies, and the parts that its menu opens. They are read when the
 * first contact is opened; until then, and where they cannot be read, the panel does without them.
 */
export function useRareParts() {
  return useQuery({
    queryKey: ["contact-panel-parts"],
    queryFn: () => import("./rare-parts"),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data;
}
