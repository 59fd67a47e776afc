/**
 * `npm run two-servers`: what fails while two servers on one PostgreSQL, behind nginx, end and come back? Sends 50
 * contacts a second of distinct senders, with logins, inbox and pages beside them, in two passes: in `crash` each server
 * is killed (SIGKILL) and PostgreSQL crashes, in `upgrade` each server stops (SIGTERM) and its successor starts. Then
 * requests race at both servers at once. nginx runs with `deploy/nginx.conf`. `--seconds` sets the length
 * of a pass, `--parts` selects passes and races.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ensurePrograms } from "../scripts/debian-packages.mjs";
import { runRaces } from "./attack/races.ts";
import { emails, password } from "./attack/target.ts";
import { findInterrupted, reportContacts, untilQueueIsEmpty } from "./load/deliveries.ts";
import { type Measurement, runMeasurement } from "./load/measurement.ts";
import { quantile } from "./load/quantile.ts";
import { type Down, pauseUntil, type Sent, signIn, wasInFlight } from "./load/requests.ts";
import { sendLoad, storeContactsToChange } from "./two-servers/load.ts";
import { type ServerNumber, startTarget, type Target } from "./two-servers/target.ts";

const { values: options } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, parts: { type: "string", default: "crash,upgrade,races" } },
});
const seconds = Number(options.seconds);
/** How long a killed server is away. */
const downSeconds = seconds / 20;

type Event = readonly [at: number, mode: "SIGKILL" | "SIGTERM" | "fast" | "immediate", server?: ServerNumber];

/** When a server or PostgreSQL ends, as a share of the whole time. */
const passes: Record<string, readonly Event[]> = {
  crash: [
    [0.1, "SIGKILL", 0],
    [0.4, "SIGKILL", 1],
    [0.75, "immediate"],
  ],
  // A successor starts directly after the one before.
  upgrade: [
    [0.1, "SIGTERM", 0],
    [0.1, "SIGTERM", 1],
    [0.5, "fast"],
    [0.7, "SIGTERM", 0],
    [0.7, "SIGTERM", 1],
  ],
};

await runMeasurement("two-servers", async (measurement) => {
  ensurePrograms({ nginx: "nginx" });
  const rows: Record<string, Record<string, number>> = {};
  const problems: string[] = [];
  for (const part of options.parts.split(",")) {
    measurement.progress(part);
    const ofPart = { ...measurement, folder: join(measurement.folder, part) };
    await mkdir(ofPart.folder);
    const target = await startTarget(ofPart);
    const events = passes[part];
    if (events) {
      const { mustBeZero, ...figures } = await runPass(target, events, ofPart);
      for (const [name, figure] of Object.entries({ ...figures, ...mustBeZero }))
        rows[name] = { ...rows[name], [part]: figure };
      const wrong = Object.entries(mustBeZero).filter(([, figure]) => figure > 0);
      problems.push(...wrong.map(([name, figure]) => `${part}: ${name}: ${figure}`));
    } else problems.push(...(await runRaces(target)).problems);
    await target.stop();
  }
  return { figures: rows, problems };
});

/** Sends the load while the events of a pass happen. */
async function runPass(target: Target, events: readonly Event[], measurement: Measurement) {
  const { signal, progress } = measurement;
  await storeContactsToChange(target, seconds);
  const { access_token: token } = await signIn(target.url, { email: emails.admin, password });
  const started = performance.now();
  const downs: (Down & { mayLose: boolean })[] = [];
  const interrupted: string[] = [];
  const until = happen();
  const [sent] = await Promise.all([sendLoad(target.url, { seconds, until, token, signal }), until]);
  const jobsLeft = await untilQueueIsEmpty(target.query, measurement);
  return report(target, sent, { downs, interrupted, jobsLeft });

  async function happen() {
    for (const [at, mode, server] of events) {
      await pauseUntil(started + at * seconds * 1000, signal);
      progress(server === undefined ? `PostgreSQL, restart -m ${mode}` : `server ${server + 1}, ${mode}`);
      // A stop in order may lose nothing.
      const down = { from: performance.now(), to: Number.POSITIVE_INFINITY, mayLose: mode !== "SIGTERM" };
      downs.push(down);
      if (mode === "fast" || mode === "immediate") await target.restartPostgres(mode);
      else await target.end(server ?? 0, mode);
      down.to = performance.now();
      const endedAt = new Date();
      if (server === undefined) continue;
      if (mode === "SIGKILL") await pause(downSeconds * 1000, undefined, { signal });
      await target.startAgain(server);
      if (mode === "SIGKILL") interrupted.push(...(await findInterrupted(target.query, endedAt)));
    }
  }
}

interface Observed {
  downs: readonly (Down & { mayLose: boolean })[];
  interrupted: readonly string[];
  jobsLeft: number;
}

async function report(target: Target, sent: Record<string, Sent[]>, { downs, interrupted, jobsLeft }: Observed) {
  const all = Object.values(sent).flat();
  const contacts = [...(sent.contact ?? []), ...(sent.form ?? [])];
  const acknowledged = new Set(contacts.filter(({ isRight }) => isRight).map(({ email }) => email));
  const rows = await target.query<{ id: string; email: string }>(
    "select id, email from contacts where email = any ($1)",
    [contacts.map(({ email }) => email)],
  );
  const { mustBeZero, repeats } = reportContacts({ acknowledged, rows, mails: target.mail.mails, interrupted });
  const failed = all.filter(({ isRight }) => !isRight);
  const excused = failed.filter((request) => downs.some((down) => down.mayLose && wasInFlight(request, down)));
  const waits = contacts.map(({ plannedAt, answeredAt }) => answeredAt - plannedAt);
  return {
    "contacts sent": contacts.length,
    acknowledged: acknowledged.size,
    "other requests": all.length - contacts.length,
    "in flight at the end of a server or of PostgreSQL": all.filter((request) =>
      downs.some((down) => wasInFlight(request, down)),
    ).length,
    "of these failed, at a kill or a restart of PostgreSQL": excused.length,
    "announced again, server killed at the reply": repeats.serverKilled,
    "wait of a contact, median, ms": Math.round(quantile(waits, 0.5)),
    "99th percentile, ms": Math.round(quantile(waits, 0.99)),
    "longest, ms": Math.round(quantile(waits, 1)),
    mustBeZero: {
      ...mustBeZero,
      "failed beyond those in flight": failed.length - excused.length,
      "announced again without a reply": repeats.unconfirmed,
      "jobs left": jobsLeft,
    },
  };
}
