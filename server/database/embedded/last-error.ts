/** Finds in the output of a program of PostgreSQL why it ended, without the time of the line. */
export function lastError(text: string): string {
  const [, reason] = [...text.matchAll(/(?:FATAL|PANIC|error): +(.+)/g)].at(-1) ?? [];
  return reason ?? (text.trim().split("\n").at(-1) || "it said nothing");
}
