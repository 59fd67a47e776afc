import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { connect } from "#server/database/connections";
import { type OwnerConnection, startEmbedded } from "#server/database/embedded";
import { migrate } from "#server/database/migrations";
import { silent } from "./silent.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: OwnerConnection;
  }
}

/** The migrated database that every test's own one is copied from. */
export const template = "migrated";

/** One PostgreSQL for the whole run, made by the product's own code, in a directory that is removed afterwards. */
export default async function setup({ provide }: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), "postgres-"));
  const postgres = await startEmbedded({ dataDir, log: silent });

  const client = new Client(postgres.connection);
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();

  const connections = connect({ ...postgres.connection, database: template }, silent);
  await migrate(connections.owner, silent);
  await connections.close();

  provide("postgres", postgres.connection);
  return async function teardown() {
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  };
}
