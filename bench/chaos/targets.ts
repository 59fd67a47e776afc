import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { type RunningSite, startSite } from "#tests/support/site";
import type { Random } from "./random.ts";
import { type SmtpProcess, startSmtp } from "./smtp.ts";

export const kinds = ["server", "PostgreSQL", "both", "SMTP"] as const;
export type Kind = (typeof kinds)[number];

/** A server that was killed, and the contacts whose owner it was telling at that moment. */
export interface Interruption {
  at: number;
  contactIds: readonly string[];
}

/** A server is gone that was not killed, or does not come back. */
export class ServerLost extends Error {}

export interface Targets {
  readonly url: string;
  /** Of the server and the SMTP server that run now. */
  readonly pids: { server: number; smtp: number };
  /** Where the SMTP server writes down what it did. */
  readonly log: string;
  readonly interruptions: readonly Interruption[];
  /** Kills one of them with SIGKILL and brings it back. PostgreSQL is the server's own to bring back. */
  kill(kind: Kind): Promise<void>;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** All that the servers have printed. */
  output(): string;
  /** Stops what runs as an operator would; resolves with the server's exit code. */
  stop(): Promise<number | null>;
}

interface Options {
  folder: string;
  seed: number;
  random: Random;
  /** Kills everything when it is aborted. */
  signal: AbortSignal;
  /** Hears of a server that ended by itself. */
  onLost: (loss: ServerLost) => void;
}

const outputLinesMax = 30;

/** The whole site as it runs in earnest: server, embedded PostgreSQL, and an SMTP server with moods. */
export async function startTargets({ folder, seed, random, signal, onLost }: Options): Promise<Targets> {
  const dataDir = join(folder, "data");
  const log = join(folder, "smtp.log");
  /** Those that are ended from here. */
  const expected = new WeakSet<RunningSite | SmtpProcess>();
  let smtps = 0;
  let smtp = await runSmtp();
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    NOTIFY_TO: "owner@chaos.example",
    TRUST_PROXY: "loopback",
    LOG_LEVEL: "warn",
  };
  let site = await runServer();
  let printed = "";
  const interruptions: Interruption[] = [];

  async function runServer(port?: number): Promise<RunningSite> {
    const starting = startSite({ dataDir, port, environment, signal });
    return watch("The server", await starting.catch(lost));
  }

  async function runSmtp(port?: number): Promise<SmtpProcess> {
    const starting = startSmtp({ log, port, seed: seed + smtps, moody: true, signal });
    return watch("The SMTP server", await starting.catch(lost));
  }

  function watch<Running extends RunningSite | SmtpProcess>(what: string, running: Running): Running {
    running.ended.then((code) => {
      if (signal.aborted || expected.has(running)) return;
      const how = code === null ? "by a signal" : `with code ${code}`;
      const words = `${what} (process ${running.pid}) ended by itself, ${how}. The last that it printed:`;
      onLost(new ServerLost(`${words}\n${lastLines(running.output())}`));
    });
    return running;
  }

  async function killServer() {
    const at = Date.now();
    expected.add(site);
    await site.kill();
    printed += site.output();
    site = await runServer(site.port);
    // They are locked until the server after it finds that their worker is gone.
    const jobs = await query<{ contact_id: string }>(
      "select payload ->> 'contact_id' as contact_id from graphile_worker._private_jobs where locked_at < $1",
      [new Date(at)],
    );
    interruptions.push({ at, contactIds: jobs.map(({ contact_id }) => contact_id) });
  }

  async function killPostgres() {
    // Only once it answers: before that, the file may still name a process that is gone.
    await query("select");
    const [pid = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
    process.kill(Number(pid), "SIGKILL");
  }

  async function killSmtp() {
    expected.add(smtp);
    await smtp.kill();
    await pause(random.below(2000), undefined, { signal });
    smtps += 1;
    smtp = await runSmtp(smtp.port);
  }

  /** As the owner of the database, and again while PostgreSQL is on its way back. */
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
    interruptions,
    kill: (kind: Kind) => kill[kind](),
    query,
    output: () => printed + site.output(),
    async stop() {
      expected.add(site);
      expected.add(smtp);
      const code = await site.stop();
      await smtp.kill();
      return code;
    },
  };
}

function lost(error: Error): never {
  throw new ServerLost(lastLines(error.message), { cause: error });
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-outputLinesMax).join("\n") || "(nothing)";
}
