import { cp } from "node:fs/promises";
import { join } from "node:path";
import { findPackage, prepareBinaries } from "#backend/database/embedded/binaries";
import { openCluster } from "#backend/database/embedded/cluster";
import { openDatabase } from "#server/database";
import { silentLog } from "./silent-log.ts";

/** Creates the data folder of an empty PostgreSQL. */
export async function createDataDir(dataDir: string): Promise<void> {
  await openCluster(dataDir, await prepareBinaries(dataDir, findPackage()));
}

/** Starts PostgreSQL with the data folder `dataDir`, runs the migrations and stops PostgreSQL. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir }, silentLog);
  await database.close();
}

/** Copies the data folder of a stopped PostgreSQL. This is much faster than `initdb` and the migrations. */
export async function copyDataDir(from: string, to: string): Promise<void> {
  await cp(join(from, "postgres"), join(to, "postgres"), { recursive: true });
}
