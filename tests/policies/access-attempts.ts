import { nothing, type Section } from "./access-document.ts";

/**
 * How an attempt ended: the code of the refusal or error, the number of changed rows, or the rows that a caller saw.
 */
export type Answer = string | number | readonly object[];

/** Makes all attempts with the rights of one caller, and resolves with their answers in the same order. */
export type Attempt<What> = (attempts: readonly What[]) => Promise<Answer[]>;

/** Words by name of the object: what one caller may do with it. */
export type Cells = ReadonlyMap<string, string>;

/** Makes several attempts at each object, and lists in its cell those that were not refused. */
export async function tryEach<Target extends string | { name: string }, What>(
  targets: readonly Target[],
  attempt: Attempt<What>,
  attemptsAt: (target: Target) => Readonly<Record<string, What>>,
  describe: (verb: string, answer: Answer, target: Target) => string = (verb) => verb,
): Promise<Cells> {
  const attempts = targets.flatMap((target) =>
    Object.entries(attemptsAt(target)).map(([verb, what]) => ({ target, verb, what })),
  );
  const answers = await attempt(attempts.map(({ what }) => what));
  const succeeded = new Map(targets.map((target) => [target, [] as string[]]));
  for (const [index, { target, verb }] of attempts.entries()) {
    const answer = answers[index] ?? "no answer";
    if (!refusals.has(answer)) succeeded.get(target)?.push(describe(verb, answer, target));
  }
  return new Map([...succeeded].map(([target, verbs]) => [nameOf(target), verbs.join(", ") || nothing]));
}

/**
 * 42501: the caller lacks the right, or a policy refused the row. 55000 and 42809: nobody can do this with such an
 * object, for example truncate a view. The others are the data API's own refusals of a schema, method, path, function,
 * table or token; the answer to a HEAD request has only a status. Every other error was raised after the check of the
 * rights, so it proves that the caller passed this check.
 */
const refusals: ReadonlySet<unknown> = new Set([
  ...["42501", "55000", "42809"],
  ...["PGRST106", "PGRST101", "PGRST117", "PGRST125", "PGRST202", "PGRST205", "PGRST301", "PGRST303"],
  ...["401", "403", "404", "405", "406"],
]);

/** One row per object, with a column for each caller. */
export function asSection<Target extends string | { name: string }>(
  targets: readonly Target[],
  callers: Readonly<Record<string, Cells>>,
  more: (target: Target) => Readonly<Record<string, string>> = () => ({}),
): Section {
  return new Map(
    targets.map((target) => {
      const cells = Object.entries(callers).map(([caller, cells]) => [caller, cells.get(nameOf(target)) ?? nothing]);
      return [nameOf(target), { ...more(target), ...Object.fromEntries(cells) }];
    }),
  );
}

/** The columns that any caller may use. A table that nobody may use needs no row for each of its columns. */
export function columnSection(
  relations: readonly { name: string; columns: readonly string[] }[],
  callers: Readonly<Record<string, Cells>>,
): Section {
  const names = relations.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`));
  return new Map(
    [...asSection(names, callers)].filter(([, row]) => Object.values(row).some((cell) => cell !== nothing)),
  );
}

/** Which part of the stored rows a caller saw. A row that is not stored, such as a count of zero, is not counted. */
export function extent(seen: Answer, stored: readonly object[]): string {
  if (!Array.isArray(seen)) return `${seen}`;
  const texts = new Set(seen.map(asText));
  const columns = Object.keys(seen[0] ?? {});
  const partOf = (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name)));
  return share(stored.filter((row) => texts.has(asText(partOf(row)))).length, stored.length);
}

export function share(count: number, total: number): string {
  if (total === 0) return "(the test has no row)";
  if (count === 0) return "none";
  return count === total ? "all" : "some";
}

function asText(row: object): string {
  return JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function nameOf(target: string | { name: string }): string {
  return typeof target === "string" ? target : target.name;
}
