import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { connect } from "#backend/database/connections";
import { type OwnerConnection, startEmbedded } from "#backend/database/embedded/embedded-postgres";
import { migrate } from "#server/database";
import { copyDataDir, createDataDir, prepareDataDir } from "./data-dir.ts";
import { silentLog } from "./silent-log.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: OwnerConnection;
    /** The data folder of a PostgreSQL server that was never started. */
    emptyDataDir: string;
    /** The data folder of a PostgreSQL server that was migrated and then stopped. `copyDataDir` copies it. */
    preparedDataDir: string;
  }
}

/** The name of the migrated database that `createDatabase` copies. */
export const template = "migrated";

/** They make the tests faster, but a crash can lose rows. Tests about crashes start their own PostgreSQL. */
const fastSettings = `
  fsync = off
  full_page_writes = off
  synchronous_commit = off
  wal_level = minimal
  max_wal_senders = 0
  autovacuum = off
`;

/** Starts one PostgreSQL server for all test files, with its data in a temporary directory. */
export default async function setup({ provide }: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), "tests-"));
  const [emptyDataDir, preparedDataDir] = [join(dataDir, "empty"), join(dataDir, "prepared")];
  await createDataDir(emptyDataDir);
  await copyDataDir(emptyDataDir, preparedDataDir);
  await prepareDataDir(preparedDataDir);
  await copyDataDir(preparedDataDir, dataDir);
  await appendFile(join(dataDir, "postgres", "postgresql.auto.conf"), fastSettings);
  const postgres = await startEmbedded({ dataDir, log: silentLog });

  const client = new Client(postgres.connection);
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();

  const connections = connect({ ...postgres.connection, database: template }, silentLog);
  await migrate(connections.owner, silentLog);
  await connections.close();

  provide("postgres", postgres.connection);
  provide("emptyDataDir", emptyDataDir);
  provide("preparedDataDir", preparedDataDir);
  return async function teardown() {
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  };
}
