import { setTimeout as pause } from "node:timers/promises";
import { broken, type Finding, type Group, groups } from "./finding.ts";

export interface Check {
  group: Group;
  run(): Promise<readonly Finding[]>;
}

export interface Result extends Finding {
  group: Group;
}

/** After this time the run goes on without the answer of a check. */
const secondsMax = 20;

/** A shorter wait is not told. */
const quietMilliseconds = 2000;

/**
 * Runs all checks side by side, so that a mail server and an address that do not answer cost this time once. After two
 * seconds `tell` gets a sentence about the groups that have not finished.
 */
export async function runChecks(
  checks: readonly Check[],
  tell: (text: string) => void,
  { milliseconds = secondsMax * 1000, quiet = quietMilliseconds } = {},
): Promise<Result[]> {
  const waiting = new Set(checks);
  const timer = setTimeout(() => {
    const unfinished = groups.filter((group) => [...waiting].some((check) => check.group === group));
    tell(`Waiting for ${unfinished.join(", ")} …`);
  }, quiet);
  const found = await Promise.all(
    checks.map(async (check) => {
      const findings = await withTimeLimit(check, milliseconds);
      waiting.delete(check);
      return findings.map((finding) => ({ group: check.group, ...finding }));
    }),
  );
  clearTimeout(timer);
  return found.flat();
}

async function withTimeLimit({ group, run }: Check, milliseconds: number): Promise<readonly Finding[]> {
  const late = broken(
    `The checks of “${group}” had no answer within ${milliseconds / 1000} seconds.`,
    "Run the doctor again.",
  );
  try {
    return await Promise.race([run(), pause(milliseconds, [late], { ref: false })]);
  } catch (error) {
    // The doctor has no stack traces: its other lines are still of use.
    const { message } = error as Error;
    return [broken(`The checks of “${group}” ended with an error: ${message || error}.`, "Run the doctor again.")];
  }
}
