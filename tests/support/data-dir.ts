import { cp } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "#server/database/open-database";
import { silent } from "./silent.ts";

/** Makes a migrated cluster in `dataDir` by the product's own code, and stops it. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir }, silent);
  await database.close();
}

/** A copy costs a fraction of `initdb` and the migrations. The cluster must be stopped. */
export async function copyDataDir(from: string, to: string): Promise<void> {
  await cp(join(from, "postgres"), join(to, "postgres"), { recursive: true });
}
