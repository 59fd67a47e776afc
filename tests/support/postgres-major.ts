import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { type Address, connectionTo } from "#backend/database/embedded/address";
import { type Binaries, binariesIn, findPackage, findUnprivilegedUser } from "#backend/database/embedded/binaries";
import { type Cluster, openCluster } from "#backend/database/embedded/cluster";
import { ensureRunning, findPostmaster, shutDown } from "#backend/database/embedded/postgres-process";
import { findMajor, olderMajors } from "../../scripts/postgres-majors.mjs";
import { copyDataDir } from "./data-dir.ts";

/**
 * The major versions of PostgreSQL to test on. What an earlier run has fetched does not matter, so `npm test` runs the same
 * tests everywhere. `npm run test:long` sets `POSTGRES_MAJORS=all`; a version that is not installed then fails its tests.
 */
export const majors: readonly number[] = process.env.POSTGRES_MAJORS === "all" ? [...olderMajors, 18] : [18];

/**
 * Starts an empty PostgreSQL of this major version, with its data in a temporary directory. Without an address it listens
 * at a socket there.
 */
export async function startMajor(major: number, at?: Address) {
  const binaries = binariesIn(major === 18 ? findPackage() : fetchedPackage(major));
  const programs = { ...binaries, ...findUnprivilegedUser(undefined, [tmpdir(), binaries.postgres]) };
  const dir = await mkdtemp(join(tmpdir(), `postgres-${major}-`));
  const cluster = await createCluster(major, dir, programs);
  const address = await ensureRunning(cluster, programs, at);

  return {
    connection: connectionTo(cluster, address),
    log: cluster.log,
    /** `fast` closes all connections in an orderly way; `immediate` ends PostgreSQL as a crash does. */
    async restart(mode: "fast" | "immediate") {
      const [program = "", ...options] = [...programs.prefix, programs.pgCtl, "restart"];
      const more = ["-D", cluster.data, "-m", mode, "-w", "-l", cluster.log];
      // `stdio` must not be a pipe: the new PostgreSQL would inherit the pipe and keep it open, and then the event
      // "close" would not come.
      const child = spawn(program, [...options, ...more], { ...programs.user, stdio: "ignore" });
      const code = await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
      if (code !== 0) throw new Error(`pg_ctl restart -m ${mode} ended with ${code}.`);
    },
    async stop() {
      const postmaster = await findPostmaster(cluster);
      if (postmaster?.pid) await shutDown(cluster, programs, postmaster.pid);
      await rm(dir, { recursive: true });
    },
  };
}

async function createCluster(major: number, dir: string, programs: Binaries): Promise<Cluster> {
  // A measurement runs without Vitest.
  const empty = major === 18 && process.env.VITEST && inject("emptyDataDir");
  if (empty) {
    await copyDataDir(empty, dir);
    return openCluster(dir, programs);
  }
  const cluster = { data: join(dir, "data"), log: join(dir, "log"), user: "postgres", password: "only here" };
  const passwordFile = join(dir, "password");
  await writeFile(passwordFile, cluster.password);
  const [program = "", ...options] = [
    ...programs.prefix,
    programs.initdb,
    ...["-D", cluster.data, "-U", cluster.user, "--pwfile", passwordFile, "-A", "scram-sha-256"],
    // All major versions accept these options. The built-in locale provider would need PostgreSQL 17 or newer.
    ...["--no-locale", "-E", "UTF8", "--no-sync"],
  ];
  await promisify(execFile)(program, options, programs.user);
  return cluster;
}

function fetchedPackage(major: number): string {
  const unpacked = findMajor(major);
  if (!unpacked) throw new Error(`PostgreSQL ${major} is not installed. npm run test:long fetches it.`);
  return unpacked;
}
