import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { embeddedConnection } from "#server/database/embedded";
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

export interface Victims {
  url: string;
  interruptions: readonly Interruption[];
  /** Kills one of them with SIGKILL and brings it back. PostgreSQL is the server's own to bring back. */
  kill(kind: Kind): Promise<void>;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** The whole site as it runs in earnest: server, embedded PostgreSQL, and an SMTP server with moods. */
export async function startVictims({ folder, seed, random }: { folder: string; seed: number; random: Random }) {
  const dataDir = join(folder, "data");
  const log = join(folder, "smtp.log");
  let smtps = 0;
  let smtp: SmtpProcess = await startSmtp({ log, seed, moody: true });
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    NOTIFY_TO: "owner@chaos.example",
    LOG_LEVEL: "warn",
  };
  let site: RunningSite = await startSite({ dataDir, environment });
  let printed = "";
  const interruptions: Interruption[] = [];

  async function killServer() {
    const at = Date.now();
    await site.kill();
    printed += site.output();
    site = await startSite({ dataDir, port: site.port, environment });
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
    await smtp.kill();
    await pause(random.below(2000));
    smtps += 1;
    smtp = await startSmtp({ log, port: smtp.port, seed: seed + smtps, moody: true });
  }

  /** As the owner of the database, and again while PostgreSQL is on its way back. */
  async function query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      try {
        return await queryOnce<Row>(sql, values);
      } catch (error) {
        if (Date.now() > deadline || (error as pg.DatabaseError).severity === "ERROR") throw error;
        await pause(100);
      }
    }
  }

  async function queryOnce<Row extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<Row[]> {
    const db = new pg.Client(await embeddedConnection(dataDir));
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
    log,
    interruptions,
    kill: (kind: Kind) => kill[kind](),
    query,
    output: () => printed + site.output(),
    async stop() {
      await site.stop();
      await smtp.kill();
    },
  };
}
