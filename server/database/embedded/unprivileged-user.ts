import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { StartError } from "#server/start-error";

/** How to run PostgreSQL, which refuses to run as root. */
export interface UnprivilegedUser {
  /** The words to put before the command line of the program. */
  prefix: readonly string[];
  /** The user to run as, who owns the files of the database. Undefined: the current user. */
  user?: { uid: number; gid: number };
}

// Runs a program in a user namespace of Linux, where root appears as user 1000. No user is created, the files still
// belong to root, PostgreSQL can use directories that only root can enter, and the process keeps its id.
const namespace = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] as const;

/**
 * Finds out how to run PostgreSQL. `owner` is the user who owns its files, if they exist already. A system user is only
 * chosen if it can reach the paths in `probes`.
 */
export function findUnprivilegedUser(
  owner: { uid: number; gid: number } | undefined,
  probes: readonly string[],
): UnprivilegedUser {
  if (process.getuid?.() !== 0) return { prefix: [] };

  // Root starts the PostgreSQL of another user (`sudo npm start`): it must run as the owner of its files.
  if (owner && owner.uid !== 0) return { prefix: [], user: { uid: owner.uid, gid: owner.gid } };

  if (spawnSync(namespace[0], [...namespace.slice(1), "true"]).status === 0) return { prefix: namespace };

  const user = systemUsers().find((candidate) => canReach(candidate, probes));
  if (user) return { prefix: [], user };
  throw new StartError(
    "PostgreSQL refuses to run as root, and neither a user namespace nor a system user that can enter these directories is at hand: start the site as an ordinary user, or set DATABASE_URL.",
  );
}

function systemUsers(): { uid: number; gid: number }[] {
  const lines = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  return ["postgres", "nobody"].flatMap((name) => {
    const found = lines.find(([first]) => first === name);
    return found ? [{ uid: Number(found[2]), gid: Number(found[3]) }] : [];
  });
}

function canReach(user: { uid: number; gid: number }, paths: readonly string[]): boolean {
  return paths.every((path) => spawnSync("test", ["-x", path], user).status === 0);
}
