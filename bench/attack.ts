/**
 * `npm run attack` attacks a server of its own, on 127.0.0.1 only, for about five minutes: 20,000 bad requests to all
 * routes, forged tokens, requests that race, and floods of one client. It fails on a status of 500 or more, a missing answer, a secret in an
 * answer, an attack that succeeds, an error in the server's log, a changed row of roles, rights, keys, accounts or
 * contacts, or a flood that takes more than 250 MB or makes a visitor wait for 200 ms. `--requests` and `--seed` set the number of bad requests and the random seed, `--path` repeats one of them as
 * printed, and `--parts` selects parts.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { embeddedConnection } from "#backend/database/embedded/embedded-postgres";
import { runBadRequests } from "./attack/bad-requests.ts";
import { type Flooded, runFloods } from "./attack/floods.ts";
import { runForgedTokens } from "./attack/forged-tokens.ts";
import { runRaces } from "./attack/races.ts";
import { readSurface } from "./attack/surface.ts";
import { changedRows, readRows, seedRows, type Tally } from "./attack/target.ts";
import { startMailServer } from "./load/mail-server.ts";
import { type Measurement, runMeasurement, startServer } from "./load/measurement.ts";

const { values: options } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
    path: { type: "string" },
    parts: { type: "string", default: "requests,tokens,races,floods" },
  },
});

await runMeasurement("attack", async (measurement) => {
  const { progress, signal } = measurement;
  const seed = Number(options.seed);
  const mail = await startMailServer();
  const parts: Record<string, (target: Flooded) => Promise<Tally>> = {
    async requests(target) {
      progress(`${options.requests} bad requests, --seed ${seed}`);
      const surface = await readSurface(target.database);
      return runBadRequests(target, surface, { ...options, count: Number(options.requests), seed, signal, progress });
    },
    tokens: runForgedTokens,
    races: runRaces,
    async floods(target) {
      const { figures, ...tally } = await runFloods(target);
      console.table(figures);
      return tally;
    },
  };
  const tallies: Record<string, Tally> = {};
  for (const name of options.parts.split(",")) {
    const run = parts[name];
    if (!run) throw new Error(`--parts knows no ${name}.`);
    progress(name);
    // With limits, the server would refuse most requests before it looks at them.
    const AUTH_LIMITS = name === "races" || name === "floods" ? "on" : "off";
    const environment = { AUTH_LIMITS, SMTP_URL: mail.url };
    tallies[name] = await attack({ ...measurement, folder: join(measurement.folder, name) }, environment, run);
  }
  await mail.crash();
  const counts = Object.entries(tallies).map(([name, { requests, problems }]) => [
    name,
    { requests, problems: problems.length },
  ]);
  const problems = Object.values(tallies).flatMap((tally) => tally.problems);
  return { figures: Object.fromEntries(counts), problems };
});

/** Attacks a server of its own, and compares afterwards what the attack must not have changed. */
async function attack(
  measurement: Measurement,
  environment: Record<string, string>,
  run: (target: Flooded) => Promise<Tally>,
): Promise<Tally> {
  await mkdir(measurement.folder);
  const dataDir = join(measurement.folder, "data");
  const server = await startServer(measurement, { dataDir, environment });
  const database = new pg.Pool({ ...(await embeddedConnection(dataDir)), max: 1, query_timeout: 60_000 });
  database.on("error", () => {});
  await seedRows(database);
  const before = await readRows(database);
  const tally = await run({ urls: [server.url], database, pid: server.pid });
  tally.problems.push(...changedRows(before, await readRows(database)).map((row) => `Changed: ${row}`));
  // The cause may be a request whose client was gone before the answer.
  tally.problems.push(...loggedErrors(server.output()));
  await database.end();
  await server.stop();
  return tally;
}

function loggedErrors(output: string): string[] {
  const lines = output.split("\n").filter((line) => /^\{"level":[56]0/.test(line));
  return lines.map((line) => {
    const { err, msg } = JSON.parse(line) as { err?: { stack?: string }; msg?: string };
    return `The server logged this error: ${(err?.stack ?? msg)?.slice(0, 300)}`;
  });
}
