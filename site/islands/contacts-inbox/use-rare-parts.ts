import { useQuery } from "@tanstack/react-query";

/**
 * Words and parts that few visits need, among them those of replies. They are read when the first contact or the list of
 * keys is opened. Undefined until then, and where they cannot be read: the inbox does without them.
 */
export function useRareParts(enabled = true) {
  return useQuery({
    queryKey: ["rare-parts"],
    queryFn: () => import("./rare-parts"),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data;
}
