import { join } from "node:path";
import pg from "pg";
import { freePort, type RunningSite } from "#tests/support/site";
import { seedRows } from "../attack/target.ts";
import { startMailServer } from "../load/mail-server.ts";
import { type Measurement, startServer } from "../load/measurement.ts";
import { externalPostgres } from "../load/postgres.ts";
import { startProxy } from "./proxy.ts";

export type ServerNumber = 0 | 1;
export type Target = Awaited<ReturnType<typeof startTarget>>;

/** nginx, two servers and one PostgreSQL, each a process of its own, and an SMTP server. */
export async function startTarget(measurement: Measurement) {
  const postgres = await externalPostgres();
  const mail = await startMailServer();
  const ports = [await freePort(), await freePort()] as const;
  const environment = {
    ...postgres.environment,
    SMTP_URL: mail.url,
    NOTIFY_TO: "owner@bench.example",
    CONTACT_MAILS_PER_HOUR: "1000000",
  };
  const start = (number: ServerNumber): Promise<RunningSite> => {
    const dataDir = join(measurement.folder, `server-${number + 1}`);
    return startServer(measurement, { dataDir, port: ports[number], environment });
  };
  // The first one alone, so that it creates the tables and the second one meets a server at work.
  const servers: [RunningSite, RunningSite] = [await start(0), await start(1)];
  const { url, stop: stopNginx } = await startProxy(measurement.folder, ports);
  const database = new pg.Pool({ connectionString: postgres.environment.DATABASE_URL, max: 2 });
  database.on("error", () => {});
  await seedRows(database);

  return {
    url,
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    database,
    mail,
    query: postgres.query,
    restartPostgres: postgres.restart,
    async end(number: ServerNumber, signal: "SIGKILL" | "SIGTERM") {
      await (signal === "SIGKILL" ? servers[number].kill() : servers[number].stop());
    },
    async startAgain(number: ServerNumber) {
      servers[number] = await start(number);
    },
    async stop() {
      await stopNginx();
      await Promise.all(servers.map((server) => server.stop()));
      await database.end();
      await mail.crash();
      await postgres.stop();
    },
  };
}
