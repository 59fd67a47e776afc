import { setTimeout as pause } from "node:timers/promises";
import { untilQueueIsEmpty } from "../chaos/job-queue.ts";
import { changedEmail, changesIn, pauseUntil, sendLoad } from "./load.ts";
import { type PassResult, type Phase, report } from "./report.ts";
import type { Down, ServerNumber, Targets } from "./targets.ts";

/** What happens to a process during the load. */
interface Event {
  name: string;
  /** Whether a request in flight may fail. */
  mayLose: boolean;
  /** When it begins, as a share of the whole time; the events of an upgrade follow each other without a pause. */
  at: number;
  run(targets: Targets, downSeconds: number, signal: AbortSignal): Promise<Down>;
}

const servers: readonly ServerNumber[] = [0, 1];

const kill = (number: ServerNumber, at: number): Event => ({
  name: `server ${number + 1}: kill -9, started again`,
  mayLose: true,
  at,
  async run(targets, downSeconds, signal) {
    const killedAt = Date.now();
    const down = await targets.end(number, "SIGKILL");
    await pause(downSeconds * 1000, undefined, { signal });
    await targets.startAgain(number);
    await targets.noteInterrupted(killedAt);
    return down;
  },
});

const upgrade = (at: number): Event[] =>
  servers.map((number) => ({
    name: `server ${number + 1}: SIGTERM, successor started`,
    mayLose: false,
    at,
    async run(targets) {
      const down = await targets.end(number, "SIGTERM");
      await targets.startAgain(number);
      return down;
    },
  }));

const restartPostgres = (mode: "fast" | "immediate", at: number): Event => ({
  name: `PostgreSQL: restart -m ${mode}`,
  mayLose: true,
  at,
  run: (targets) => targets.restartPostgres(mode),
});

export const passes: Record<string, Event[]> = {
  crash: [kill(0, 0.1), kill(1, 0.4), restartPostgres("immediate", 0.75)],
  upgrade: [...upgrade(0.1), restartPostgres("fast", 0.5), ...upgrade(0.7)],
};

interface Options {
  seconds: number;
  signal: AbortSignal;
  progress: (message: string) => void;
}

export async function runPass(targets: Targets, events: readonly Event[], options: Options): Promise<PassResult> {
  const { seconds, signal, progress } = options;
  await storeContactsToChange(targets, seconds);
  const { access_token: token } = await targets.signIn("admin");
  const started = performance.now();
  const phases: Phase[] = [{ name: "before", from: started, mayLose: false, down: undefined }];
  const happening = happen();
  const [sent] = await Promise.all([sendLoad(targets.url, { seconds, events: happening, token, signal }), happening]);
  await untilQueueIsEmpty(targets.query, options);
  return report(targets, sent, phases);

  async function happen() {
    for (const { name, at, mayLose, run } of events) {
      await pauseUntil(started + at * seconds * 1000, signal);
      progress(name);
      const from = performance.now();
      phases.push({ name, from, mayLose, down: undefined });
      const down = await run(targets, seconds / 20, signal);
      phases[phases.length - 1] = { name, from, mayLose, down };
    }
  }
}

/** Without their jobs, so that the mails about them do not delay those of the load. */
async function storeContactsToChange({ query }: Targets, seconds: number) {
  await query(
    `insert into contacts (name, company, email, interest)
     select 'Visitor', 'Two', replace($1, '0', n::text), 'consulting' from generate_series(0, $2 - 1) n`,
    [changedEmail(0), changesIn(seconds)],
  );
  await query("delete from private.jobs where task = 'announce-contact' and leased_by is null");
}
