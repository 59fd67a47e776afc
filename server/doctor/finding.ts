/** What a check found. `look` may be meant so; `BROKEN` keeps the site from working, or opens it. */
export interface Finding {
  level: "ok" | "look" | "BROKEN";
  /** What the check saw, as a sentence. */
  saw: string;
  /** What the operator can do about it. */
  todo?: string;
}

export const groups = [
  "settings",
  "database",
  "door",
  "mail",
  "address",
  "content",
  "people",
  "backup",
  "machine",
] as const;
export type Group = (typeof groups)[number];

export const ok = (saw: string): Finding => ({ level: "ok", saw });
export const look = (saw: string, todo: string): Finding => ({ level: "look", saw, todo });
export const broken = (saw: string, todo: string): Finding => ({ level: "BROKEN", saw, todo });

/** `one contact`, `3 contacts`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `one ${one}` : `${count} ${many}`;
}

/** The first of these words, and how many others there are. */
export function listOf(words: readonly string[], most = 5): string {
  const rest = words.length - most;
  return rest > 0 ? `${words.slice(0, most).join(", ")} and ${rest} more` : words.join(", ");
}
