import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartError } from "../start-error.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { findUnprivileged, type Unprivileged } from "./unprivileged.ts";

/** One embedded PostgreSQL on disk: `home` holds its files, the owner's password, its log and its socket. */
export interface Cluster {
  home: string;
  data: string;
  log: string;
  user: string;
  password: string;
  binaries: Binaries;
  runAs: Unprivileged;
}

/** Finds the cluster in `dataDir`, or makes it. */
export async function openCluster(dataDir: string): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const home = join(await realpath(dataDir), "postgres");
  const binaries = findBinaries();
  const owner = await stat(home).catch(() => undefined);
  const runAs = findUnprivileged(owner, [dataDir, binaries.postgres]);

  const password = (await readPassword(home)) ?? (await makeCluster(home, binaries, runAs));
  return { home, data: join(home, "data"), log: join(home, "log"), user: "postgres", password, binaries, runAs };
}

/**
 * Everything is made in a sibling directory and renamed in one step: a kill in the middle leaves nothing half-made,
 * and of two starts that race on an empty directory the second rename fails and takes what the first one made.
 */
async function makeCluster(home: string, binaries: Binaries, runAs: Unprivileged): Promise<string> {
  await removeOldDrafts(home);
  const draft = `${home}.draft-${randomBytes(6).toString("hex")}`;
  const passwordFile = join(draft, "password");
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600, flush: true });
    if (runAs.user) {
      await chown(draft, runAs.user.uid, runAs.user.gid);
      await chown(passwordFile, runAs.user.uid, runAs.user.gid);
    }
    await initdb(join(draft, "data"), passwordFile, binaries, runAs);
    await rename(draft, home).catch((error: NodeJS.ErrnoException) => {
      // Windows says EPERM where others say that the directory is there already.
      if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(error.code ?? "")) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const password = await readPassword(home);
  if (!password) throw new StartError(`${home} is there, but it is not a PostgreSQL of ours: move it away.`);
  return password;
}

/** What starts that were killed left behind; a younger draft may belong to one that is at work right now. */
async function removeOldDrafts(home: string): Promise<void> {
  const oldestMilliseconds = Date.now() - 10 * 60 * 1000;
  for (const name of await readdir(dirname(home))) {
    const draft = join(dirname(home), name);
    if (!draft.startsWith(`${home}.draft-`) || (await stat(draft)).mtimeMs > oldestMilliseconds) continue;
    await rm(draft, { recursive: true, force: true });
  }
}

async function readPassword(home: string): Promise<string | undefined> {
  try {
    return (await readFile(join(home, "password"), "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StartError(`The password of PostgreSQL in ${home} cannot be read.`, error);
  }
}

async function initdb(data: string, passwordFile: string, binaries: Binaries, runAs: Unprivileged): Promise<void> {
  // The built-in locale gives the same order and case on every machine, whatever libc it has.
  const [program = "", ...options] = [
    ...runAs.prefix,
    binaries.initdb,
    ...["-D", data, "-U", "postgres", "--pwfile", passwordFile, "-A", "scram-sha-256"],
    ...["--locale-provider=builtin", "--locale=C.UTF-8", "-E", "UTF8", "--data-checksums"],
  ];
  const child = spawn(program, options, { ...runAs.user, stdio: ["ignore", "ignore", "pipe"], windowsHide: true });

  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaints += chunk;
  });
  const code = await new Promise((ended, failed) => child.once("close", ended).once("error", failed));
  if (code !== 0) throw new StartError(`PostgreSQL could not be set up: ${lastLine(complaints)}`, complaints);
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
