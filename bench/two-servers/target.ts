import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { freePort, type RunningSite } from "#tests/support/site";
import { seedRows } from "../attack/target.ts";
import { startMailServer } from "../load/mail-server.ts";
import { type Measurement, startServer } from "../load/measurement.ts";
import { startNginx } from "../load/nginx.ts";
import { externalPostgres } from "../load/postgres.ts";

export type ServerNumber = 0 | 1;
export type Target = Awaited<ReturnType<typeof startTarget>>;

/** nginx, two servers and one PostgreSQL, each a process of its own, and an SMTP server. */
export async function startTarget(measurement: Measurement, settings: Record<string, string> = {}) {
  const postgres = await externalPostgres();
  const mail = await startMailServer();
  const ports = [await freePort(), await freePort()] as const;
  const environment = {
    ...postgres.environment,
    SMTP_URL: mail.url,
    NOTIFY_TO: "owner@bench.example",
    CONTACT_MAILS_PER_HOUR: "1000000",
    ...settings,
  };
  const start = (number: ServerNumber): Promise<RunningSite> => {
    const dataDir = join(measurement.folder, `server-${number + 1}`);
    return startServer(measurement, { dataDir, port: ports[number], environment });
  };
  // The first one alone, so that it creates the tables and the second one meets a server at work.
  const servers: [RunningSite, RunningSite] = [await start(0), await start(1)];
  const { url, stop: stopNginx } = await startProxy(measurement, ports);
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

/** Starts nginx with `deploy/nginx.conf` in front of servers on these ports. */
async function startProxy({ folder }: Measurement, ports: readonly [number, number]) {
  const text = await readFile(new URL("../../deploy/nginx.conf", import.meta.url), "utf8");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return { url, stop: await startNginx({ folder, url, http: withoutTls(text, port, ports) }) };
}

/**
 * The file of an operator, changed as little as a measurement needs: other ports, no TLS, both servers at work, and the
 * load generator, which is on this machine, may say for which visitor it asks.
 */
function withoutTls(text: string, port: number, [first, second]: readonly [number, number]): string {
  const asVisitor = "set_real_ip_from 127.0.0.1;\n  real_ip_header X-Forwarded-For;";
  const changes: [RegExp, string][] = [
    [/^server \{\n\s*listen 80;[\s\S]*?^\}\n/m, ""],
    [/^.*listen \[::\]:443.*\n/m, ""],
    [/listen 443 ssl[^;]*;/, `listen 127.0.0.1:${port};\n  ${asVisitor}`],
    [/^\s*ssl_.*\n/gm, ""],
    [/127\.0\.0\.1:3000\b/, `127.0.0.1:${first}`],
    [/127\.0\.0\.1:3001\b(.*) backup;/, `127.0.0.1:${second}$1;`],
  ];
  return changes.reduce((changed, [pattern, replacement]) => {
    if (changed.search(pattern) < 0) throw new Error(`deploy/nginx.conf has nothing that matches ${pattern}.`);
    return changed.replace(pattern, replacement);
  }, text);
}
