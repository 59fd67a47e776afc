import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { freePort, type RunningSite, startSite } from "#tests/support/site";
import { seedRows, signInAt } from "../attack/target.ts";
import { findInterrupted, type ServerKill } from "../chaos/delivery-report.ts";
import type { Query } from "../chaos/job-queue.ts";
import { startExternalTarget } from "../restarts/targets.ts";
import { startSmtp } from "../smtp/smtp-process.ts";
import { startNginx } from "./nginx.ts";

export type ServerNumber = 0 | 1;

/** When a process got its signal, and when it had ended. */
export interface Down {
  from: number;
  to: number;
}

export type Targets = Awaited<ReturnType<typeof startTargets>>;

/** nginx, two servers, one PostgreSQL and an SMTP server, each a process of its own. */
export async function startTargets(folder: string, environment: Record<string, string> = {}) {
  await mkdir(folder, { recursive: true });
  const smtpLog = join(folder, "smtp.log");
  const ended: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of ended.splice(0).reverse()) await end();
  };
  try {
    return await start();
  } catch (error) {
    await stop();
    throw error;
  }

  async function start() {
    const postgres = await startExternalTarget();
    ended.push(postgres.stop);
    const smtp = await startSmtp({ log: smtpLog });
    ended.push(smtp.kill);
    const ports = [await freePort(), await freePort()] as const;
    const settings = {
      ...postgres.environment,
      HOST: "127.0.0.1",
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      NOTIFY_TO: "owner@two-servers.example",
      CONTACT_MAILS_PER_HOUR: "1000000",
      AUTH_LIMITS: "on",
      TRUST_PROXY: "loopback",
      LOG_LEVEL: "warn",
      ...environment,
    };
    let printed = "";
    const startServer = (number: ServerNumber) =>
      startSite({ dataDir: join(folder, `server-${number + 1}`), port: ports[number], environment: settings });
    // The first one alone, so that it creates the tables and the second one meets a server at work.
    const servers: [RunningSite, RunningSite] = [await startServer(0), await startServer(1)];
    ended.push(() => Promise.all(servers.map((server) => server.stop())));
    const nginx = await startNginx(folder, ports);
    ended.push(nginx.stop);
    const database = new pg.Pool({ connectionString: postgres.environment.DATABASE_URL, max: 2 });
    database.on("error", () => {});
    ended.push(() => database.end());
    await seedRows(database);
    const query: Query = async (sql, values) => (await database.query(sql, values)).rows;
    const serverKills: ServerKill[] = [];

    /** Ends a server; `down.to` is when no request could reach it any more. */
    async function end(number: ServerNumber, signal: "SIGKILL" | "SIGTERM"): Promise<Down> {
      const server = servers[number];
      const down = { from: performance.now(), to: 0 };
      if (signal === "SIGKILL") await server.kill();
      else if ((await server.stop()) !== 0) throw new Error(`Server ${number + 1} did not stop in order.`);
      down.to = performance.now();
      printed += server.output();
      return down;
    }

    return {
      url: nginx.url,
      ports,
      database,
      query,
      smtpLog,
      serverKills,
      signIn: signInAt(nginx.url),
      end,
      async startAgain(number: ServerNumber) {
        servers[number] = await startServer(number);
      },
      async noteInterrupted(at: number) {
        serverKills.push(await findInterrupted(query, at));
      },
      async restartPostgres(mode: "fast" | "immediate"): Promise<Down> {
        const from = performance.now();
        await postgres.restart(mode);
        return { from, to: performance.now() };
      },
      output: () => printed + servers.map((server) => server.output()).join("\n"),
      stop,
    };
  }
}
