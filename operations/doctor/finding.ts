/** What a check found. `look` may be meant so; `BROKEN` keeps the site from working, or opens it. */
export interface Finding {
  level: "ok" | "look" | "BROKEN";
  saw: string;
  todo?: string;
}

export const groups = [
  "settings",
  "database",
  "access",
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

/** A condition and what it means: `days < 14 && broken(…)`. */
export type Candidate = Finding | false | undefined;

/** The findings whose condition holds. */
export function findingsOf(...candidates: readonly Candidate[]): Finding[] {
  return candidates.filter((candidate) => candidate !== undefined && candidate !== false);
}

/** The findings whose condition holds, or that all is well. */
export function problemsOr(fine: Finding, candidates: readonly Candidate[]): Finding[] {
  const problems = findingsOf(...candidates);
  return problems.length > 0 ? problems : [fine];
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `one ${one}` : `${count} ${many}`;
}

/** The first of these words, and how many others there are. */
export function listOf(words: readonly string[], most = 5): string {
  const rest = words.length - most;
  return rest > 0 ? `${words.slice(0, most).join(", ")} and ${rest} more` : words.join(", ");
}
