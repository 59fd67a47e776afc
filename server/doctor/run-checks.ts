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

/**
 * Runs all checks side by side, so that a mail server and an address that do not answer cost this time once. `waitsFor`
 * is told the groups that have not finished, each time that one has.
 */
export async function runChecks(
  checks: readonly Check[],
  { milliseconds = secondsMax * 1000, waitsFor = (_groups: readonly Group[]) => {} } = {},
): Promise<Result[]> {
  const waiting = new Set(checks);
  const tellWaiting = () => waitsFor(groups.filter((group) => [...waiting].some((check) => check.group === group)));
  tellWaiting();
  const found = await Promise.all(
    checks.map(async (check) => {
      const findings = await withTimeLimit(check, milliseconds);
      waiting.delete(check);
      tellWaiting();
      return findings.map((finding) => ({ group: check.group, ...finding }));
    }),
  );
  return found.flat();
}

async function withTimeLimit({ group, run }: Check, milliseconds: number): Promise<readonly Finding[]> {
  const end = new AbortController();
  const late = pause(milliseconds, undefined, { signal: end.signal }).then(
    () => [
      broken(`The checks of “${group}” had no answer within ${milliseconds / 1000} seconds.`, "Run the doctor again."),
    ],
    () => [],
  );
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    // The doctor has no stack traces: its other lines are still of use.
    const { message } = error as Error;
    return [broken(`The checks of “${group}” ended with an error: ${message || error}.`, "Run the doctor again.")];
  } finally {
    end.abort();
  }
}
