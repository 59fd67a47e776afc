/**
 * `npm run attack` attacks a server of its own, on 127.0.0.1 only, for about two minutes: 20,000 bad requests to all
 * routes, then floods of one client. It fails on a status of 500 or more, a missing answer, a secret in an answer, an error
 * in the server's log, a changed row of roles, rights, keys, accounts or contacts, or a flood that takes more than 250 MB
 * or makes a visitor wait for 200 ms. `--requests` and `--seed` set the number of bad requests and their order.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { embeddedConnection } from "#backend/database/embedded/embedded-postgres";
import { runBadRequests } from "./attack/bad-requests.ts";
import { runFloods } from "./attack/floods.ts";
import { changedRows, readRows, seedRows, type Target } from "./attack/target.ts";
import { startMailServer } from "./load/mail-server.ts";
import { type Measurement, runMeasurement, startServer } from "./load/measurement.ts";

const { values: options } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
  },
});

await runMeasurement("attack", async (measurement) => {
  const { progress, signal } = measurement;
  const [count, seed] = [Number(options.requests), Number(options.seed)];
  progress(`${count} bad requests, --seed ${seed}`);
  // With limits, the server would refuse most requests before it looks at them.
  const run = (target: Target) => runBadRequests(target, { count, seed, signal, progress });
  const problems = await attack(measurement, "off", run);
  progress("floods");
  return { problems: [...problems, ...(await attack(measurement, "on", runFloods))] };
});

/** Attacks a server of its own, and compares afterwards what the attack must not have changed. */
async function attack(
  measurement: Measurement,
  limits: "on" | "off",
  run: (target: Target) => Promise<string[]>,
): Promise<string[]> {
  const dataDir = join(measurement.folder, `limits-${limits}`);
  await mkdir(dataDir);
  const mail = await startMailServer();
  const environment = { AUTH_LIMITS: limits, SMTP_URL: mail.url };
  const server = await startServer(measurement, { dataDir, environment });
  const database = new pg.Pool({ ...(await embeddedConnection(dataDir)), max: 1, query_timeout: 60_000 });
  database.on("error", () => {});
  await seedRows(database);
  const before = await readRows(database);
  const problems = await run({ url: server.url, database, pid: server.pid });
  problems.push(...changedRows(before, await readRows(database)).map((row) => `Changed: ${row}`));
  // The cause may be a request whose client was gone before the answer.
  problems.push(...loggedErrors(server.output()));
  await database.end();
  await server.stop();
  await mail.crash();
  return problems;
}

function loggedErrors(output: string): string[] {
  const lines = output.split("\n").filter((line) => /^\{"level":[56]0/.test(line));
  return lines.map((line) => {
    const { err, msg } = JSON.parse(line) as { err?: { stack?: string }; msg?: string };
    return `The server logged this error: ${(err?.stack ?? msg)?.slice(0, 300)}`;
  });
}
