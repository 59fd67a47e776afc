/**
 * `npm run restarts`: which requests fail during a restart of PostgreSQL? Sends 20 contacts a second, each from a
 * network of its own, while SIGKILL ends the embedded PostgreSQL every five seconds. `--seconds` sets how long it sends
 * contacts.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runMeasurement, startServer } from "./load/measurement.ts";
import { embeddedPostgres } from "./load/postgres.ts";
import { quantile } from "./load/quantile.ts";
import { contactRequest, type Down, pauseUntil, type Sent, sendAtRate, wasInFlight } from "./load/requests.ts";

const { values: options } = parseArgs({
  options: { seconds: { type: "string", default: "120" } },
});
const seconds = Number(options.seconds);
const secondsPerRestart = 5;
const perSecond = 20;

await runMeasurement("restarts", async (measurement) => {
  const { folder, signal, progress } = measurement;
  const dataDir = join(folder, "data");
  const { query, kill } = embeddedPostgres(dataDir);
  const server = await startServer(measurement, { dataDir });
  /** From the beginning of each restart until PostgreSQL answered again. */
  const outages: Down[] = [];
  const [sent] = await Promise.all([
    sendAtRate({ perSecond, seconds, signal }, (number) => contactRequest(server.url, number)),
    restartAgainAndAgain(),
  ]);
  const stored = (await query<{ email: string }>("select email from contacts")).map(({ email }) => email);
  await server.stop();

  const failed = sent.filter(({ status }) => status >= 500 || status === 0);
  const inFlight = failed.filter(isInFlight);
  const accepted = sent.filter(({ isRight }) => isRight);
  const mustBeZero = {
    "5xx or no answer, not in flight at a restart": failed.length - inFlight.length,
    "any other answer": sent.length - accepted.length - failed.length,
    lost: accepted.filter(({ email }) => !stored.includes(email)).length,
    doubled: stored.length - new Set(stored).size,
  };
  const waits = sent.map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  const figures = {
    restarts: outages.length,
    "requests sent": sent.length,
    "answered 2xx": accepted.length,
    "5xx or no answer, in flight at a restart": inFlight.length,
    ...mustBeZero,
    "longest time without PostgreSQL, ms": Math.round(Math.max(0, ...outages.map(({ from, to }) => to - from))),
    "slowest answer, ms": Math.round(quantile(waits, 1)),
    "median answer, ms": Math.round(quantile(waits, 0.5)),
    "in flight at a restart, in all": sent.filter(isInFlight).length,
  };
  return { figures, mustBeZero };

  /** Only what was sent before the restart: later requests have to wait until it is over. */
  function isInFlight(request: Sent): boolean {
    return outages.some(({ from }) => wasInFlight(request, { from, to: from }));
  }

  async function restartAgainAndAgain() {
    const started = performance.now();
    for (let second = secondsPerRestart; second < seconds; second += secondsPerRestart) {
      // Each restart begins at a different moment between two contacts. On a slow machine a restart takes long: without
      // a pause after it, PostgreSQL would never be up.
      const planned = started + second * 1000 + ((outages.length * 7) % (1000 / perSecond));
      await pauseUntil(Math.max(planned, (outages.at(-1)?.to ?? 0) + (secondsPerRestart / 2) * 1000), signal);
      if (performance.now() > started + seconds * 1000) break;
      progress(`restart ${outages.length + 1}`);
      const outage = { from: performance.now(), to: Number.POSITIVE_INFINITY };
      outages.push(outage);
      await kill();
      await query("select");
      outage.to = performance.now();
    }
  }
});
