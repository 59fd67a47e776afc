import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { connect } from "#server/database/connections";
import { type OwnerConnection, startEmbedded } from "#server/database/embedded/embedded-postgres";
import { migrate } from "#server/database/migrations";
import { copyDataDir, prepareDataDir } from "./data-dir.ts";
import { silentLog } from "./silent-log.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: OwnerConnection;
    /** The data folder of a PostgreSQL server that was migrated and then stopped. `copyDataDir` copies it. */
    preparedDataDir: string;
  }
}

/** The name of the migrated database that `createDatabase` copies. */
export const template = "migrated";

/** Starts one PostgreSQL server for all test files, with its data in a temporary directory. */
export default async function setup({ provide }: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), "tests-"));
  const preparedDataDir = join(dataDir, "prepared");
  await prepareDataDir(preparedDataDir);
  await copyDataDir(preparedDataDir, dataDir);
  const postgres = await startEmbedded({ dataDir, log: silentLog });

  const client = new Client(postgres.connection);
  await client.connect();
  // These settings make the tests faster, but a crash can lose rows. Tests about crashes start their own PostgreSQL.
  await client.query("alter system set fsync = off");
  await client.query("alter system set full_page_writes = off");
  await client.query("alter system set synchronous_commit = off");
  await client.query("select pg_reload_conf()");
  await client.query(`create database ${template}`);
  await client.end();

  const connections = connect({ ...postgres.connection, database: template }, silentLog);
  await migrate(connections.owner, silentLog);
  await connections.close();

  provide("postgres", postgres.connection);
  provide("preparedDataDir", preparedDataDir);
  return async function teardown() {
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  };
}
