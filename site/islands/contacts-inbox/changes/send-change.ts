import type { QueryClient } from "@tanstack/react-query";

/** The change that was sent last. Changes are sent one after the other. */
let newest: Promise<unknown> = Promise.resolve();

/** Sends a change, and counts it as a mutation, for which a new reading of the list waits (`useNews`). */
export function sendChange<Answer>(queries: QueryClient, mutationFn: () => Promise<Answer>): Promise<Answer> {
  const mutation = queries.getMutationCache().build<Answer, Error, void, unknown>(queries, {
    mutationFn,
    networkMode: "always",
  });
  const answer = mutation.execute();
  newest = answer.catch(() => undefined);
  return answer;
}

/**
 * Reads a list that is shown, and again as long as a change was under way meanwhile: what was read may be older than the
 * change, and a contact that an undo brings back would be missing until the next reading. A row that is missing for a
 * moment also loses the keyboard's focus.
 */
export async function readSettled<Page>(read: () => Promise<Page>): Promise<Page> {
  for (;;) {
    await newest;
    const before = newest;
    const page = await read();
    if (newest === before) return page;
  }
}
