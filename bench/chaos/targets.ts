import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { type RunningSite, startSite } from "#tests/support/site";
import type { Random } from "../load/seeded-random.ts";
import { type SmtpProcess, startSmtp } from "../smtp/smtp-process.ts";
import { findInterrupted, type ServerKill } from "./delivery-report.ts";
import type { Query } from "./job-queue.ts";

export const kinds = ["server", "PostgreSQL", "both", "SMTP"] as const;
export type Kind = (typeof kinds)[number];

/** A server ended although this run did not kill it, or a killed server did not start again. */
export class ServerLost extends Error {}

export interface Targets {
  readonly url: string;
  /** The process ids of the server and the SMTP server that run now; each restart changes one. */
  readonly pids: { server: number; smtp: number };
  /** The log file of the SMTP server. */
  readonly log: string;
  readonly serverKills: readonly ServerKill[];
  /**
   * Sends SIGKILL to the processes that `kind` names, and restarts them. Only PostgreSQL is restarted by the server
   * itself.
   */
  kill(kind: Kind): Promise<void>;
  query: Query;
  /** The output of all servers so far. */
  output(): string;
  /** Shuts everything down properly, as an operator would. Resolves with the server's exit code. */
  stop(): Promise<number | null>;
}

interface Options {
  folder: string;
  seed: number;
  random: Random;
  /** Aborting this signal kills all processes. */
  signal: AbortSignal;
  /** Called when a server ends by itself. */
  onLost: (loss: ServerLost) => void;
}

const outputLinesMax = 30;

/** The whole site: the server with its embedded PostgreSQL, and a faulty SMTP server. */
export async function startTargets({ folder, seed, random, signal, onLost }: Options): Promise<Targets> {
  const dataDir = join(folder, "data");
  const log = join(folder, "smtp.log");
  /** The processes that this run ends on purpose. */
  const endedByRun = new WeakSet<RunningSite | SmtpProcess>();
  let smtpRestarts = 0;
  let smtp = await runSmtp();
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    NOTIFY_TO: "owner@chaos.example",
    CONTACT_MAILS_PER_HOUR: "1000000",
    TRUST_PROXY: "loopback",
    LOG_LEVEL: "warn",
  };
  let site = await runServer();
  let printed = "";
  const serverKills: ServerKill[] = [];

  async function runServer(port?: number): Promise<RunningSite> {
    const starting = startSite({ dataDir, port, environment, signal });
    return watch("The server", await starting.catch(failAsLost));
  }

  async function runSmtp(port?: number): Promise<SmtpProcess> {
    const starting = startSmtp({ log, port, seed: seed + smtpRestarts, faulty: true, signal });
    return watch("The SMTP server", await starting.catch(failAsLost));
  }

  function watch<Running extends RunningSite | SmtpProcess>(name: string, running: Running): Running {
    running.ended.then((code) => {
      if (signal.aborted || endedByRun.has(running)) return;
      const how = code === null ? "by a signal" : `with code ${code}`;
      const summary = `${name} (process ${running.pid}) ended by itself, ${how}. The last that it printed:`;
      onLost(new ServerLost(`${summary}\n${lastLines(running.output())}`));
    });
    return running;
  }

  async function killServer() {
    const at = Date.now();
    endedByRun.add(site);
    await site.kill();
    printed += site.output();
    site = await runServer(site.port);
    serverKills.push(await findInterrupted(query, at));
  }

  async function killPostgres() {
    // First wait until PostgreSQL answers: while it restarts, postmaster.pid may still name the old process.
    await query("select");
    const [pid = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
    process.kill(Number(pid), "SIGKILL");
  }

  async function killSmtp() {
    endedByRun.add(smtp);
    await smtp.kill();
    await pause(random.below(2000), undefined, { signal });
    smtpRestarts += 1;
    smtp = await runSmtp(smtp.port);
  }

  /** Queries as the owner of the database; retries while PostgreSQL restarts. */
  async function query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      try {
        return await queryOnce<Row>(sql, values);
      } catch (error) {
        if (Date.now() > deadline || (error as pg.DatabaseError).severity === "ERROR") throw error;
        await pause(100, undefined, { signal });
      }
    }
  }

  async function queryOnce<Row extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<Row[]> {
    const limits = { connectionTimeoutMillis: 5_000, query_timeout: 10_000 };
    const db = new pg.Client({ ...(await embeddedConnection(dataDir)), ...limits });
    db.on("error", () => {});
    try {
      await db.connect();
      return (await db.query<Row>(sql, values)).rows;
    } finally {
      await db.end().catch(() => {});
    }
  }

  const kill: Record<Kind, () => Promise<void>> = {
    server: killServer,
    PostgreSQL: killPostgres,
    async both() {
      await killPostgres();
      await killServer();
    },
    SMTP: killSmtp,
  };

  return {
    url: site.url,
    get pids() {
      return { server: site.pid, smtp: smtp.pid };
    },
    log,
    serverKills,
    kill: (kind: Kind) => kill[kind](),
    query,
    output: () => printed + site.output(),
    async stop() {
      endedByRun.add(site);
      endedByRun.add(smtp);
      const code = await site.stop();
      await smtp.kill();
      return code;
    },
  };
}

function failAsLost(error: Error): never {
  throw new ServerLost(lastLines(error.message), { cause: error });
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-outputLinesMax).join("\n") || "(nothing)";
}
