/**
 * `npm run restarts`: which requests fail during a restart of PostgreSQL? Sends 20 contacts a second, each from a
 * network of its own, while SIGKILL ends the embedded PostgreSQL every five seconds. `--seconds` sets how long it sends
 * contacts.
 */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { countContacts } from "./load/contacts.ts";
import { runMeasurement, startServer } from "./load/measurement.ts";
import { embeddedPostgres } from "./load/postgres.ts";
import { quantile } from "./load/quantile.ts";
import { contactRequest, type Sent, sendAtRate } from "./load/requests.ts";

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
  /** When each restart began, and how long it was until PostgreSQL answered again. */
  const outages: { from: number; milliseconds: number }[] = [];
  const rate = { perSecond, seconds: 0, until: restartAgainAndAgain(), signal };
  const sent = await sendAtRate(rate, (number) => contactRequest(server.url, number));
  const counted = await countContacts(query, sent);
  await server.stop();

  const failed = sent.filter(({ status }) => status >= 500 || status === 0);
  const inFlight = failed.filter(isInFlight);
  const accepted = sent.filter(({ isRight }) => isRight);
  const mustBeZero = {
    "5xx or no answer, not in flight at a restart": failed.length - inFlight.length,
    "any other answer": sent.length - accepted.length - failed.length,
    ...counted,
  };
  const waits = sent.map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  const figures = {
    restarts: outages.length,
    "requests sent": sent.length,
    "answered 2xx": accepted.length,
    "5xx or no answer, in flight at a restart": inFlight.length,
    ...mustBeZero,
    "longest time without PostgreSQL, ms": Math.round(Math.max(0, ...outages.map(({ milliseconds }) => milliseconds))),
    "slowest answer, ms": Math.round(quantile(waits, 1)),
    "median answer, ms": Math.round(quantile(waits)),
    "in flight at a restart, in all": sent.filter(isInFlight).length,
  };
  return { figures, mustBeZero };

  /** Only what was sent before the restart: later requests have to wait until it is over. */
  function isInFlight({ sentAt, answeredAt }: Sent): boolean {
    return outages.some(({ from }) => sentAt <= from && answeredAt >= from);
  }

  async function restartAgainAndAgain() {
    const ending = performance.now() + seconds * 1000;
    for (;;) {
      // Each restart begins at a different moment between two contacts. On a slow machine a restart takes long: without
      // a pause after it, PostgreSQL would never be up.
      const offset = (outages.length * 7) % (1000 / perSecond);
      const rest = secondsPerRestart * 1000 - (outages.at(-1)?.milliseconds ?? 0);
      await pause(Math.max(rest, secondsPerRestart * 500) + offset, undefined, { signal });
      if (performance.now() > ending) return;
      progress(`restart ${outages.length + 1}`);
      const from = performance.now();
      await kill();
      await query("select");
      outages.push({ from, milliseconds: performance.now() - from });
    }
  }
});
