import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectionTo } from "#server/database/embedded/address";
import { binariesIn, findPackage } from "#server/database/embedded/binaries";
import type { Cluster } from "#server/database/embedded/cluster";
import { ensureRunning } from "#server/database/embedded/ensure-running";
import { findPostmaster, shutDown } from "#server/database/embedded/postmaster";
import { findUnprivilegedUser } from "#server/database/embedded/unprivileged-user";
import { findMajor, olderMajors } from "../../scripts/postgres-majors.mjs";

/** Those that are here without installing anything; `POSTGRES_MAJORS=all` also names the others, which then fail. */
export const majors: readonly number[] = [
  ...olderMajors.filter((major) => process.env.POSTGRES_MAJORS === "all" || findMajor(major)),
  18,
];

/** An empty PostgreSQL of this major version in a temporary directory. */
export async function startMajor(major: number) {
  const binaries = binariesIn(major === 18 ? findPackage() : fetched(major));
  const programs = { ...binaries, ...findUnprivilegedUser(undefined, [tmpdir(), binaries.postgres]) };
  const dir = await mkdtemp(join(tmpdir(), `postgres-${major}-`));
  const cluster: Cluster = { data: join(dir, "data"), log: join(dir, "log"), user: "postgres", password: "only here" };

  const passwordFile = join(dir, "password");
  await writeFile(passwordFile, cluster.password);
  const [program = "", ...options] = [
    ...programs.prefix,
    programs.initdb,
    ...["-D", cluster.data, "-U", cluster.user, "--pwfile", passwordFile, "-A", "scram-sha-256"],
    // What all of them understand; the built-in locale provider came with 17.
    ...["--no-locale", "-E", "UTF8", "--no-sync"],
  ];
  await promisify(execFile)(program, options, programs.user);
  const address = await ensureRunning(cluster, programs);

  return {
    connection: connectionTo(cluster, address),
    /** As an operator does it: `fast` ends all connections, `immediate` leaves no time to tell them. */
    async restart(mode: "fast" | "immediate") {
      const [program = "", ...options] = [...programs.prefix, programs.pgCtl, "restart"];
      const more = ["-D", cluster.data, "-m", mode, "-w", "-l", cluster.log];
      // The new PostgreSQL inherits the output, which would otherwise never end.
      const child = spawn(program, [...options, ...more], { ...programs.user, stdio: "ignore" });
      const code = await new Promise((ended, failed) => child.once("close", ended).once("error", failed));
      if (code !== 0) throw new Error(`pg_ctl restart -m ${mode} ended with ${code}.`);
    },
    async stop() {
      const postmaster = await findPostmaster(cluster);
      if (postmaster) await shutDown(cluster, programs, postmaster);
      await rm(dir, { recursive: true });
    },
  };
}

function fetched(major: number): string {
  const unpacked = findMajor(major);
  if (!unpacked) throw new Error(`PostgreSQL ${major} is not here. npm run test:long fetches it.`);
  return unpacked;
}
