import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { chown, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { explainFileError, StartError } from "#process/start-error";
import type { Binaries } from "./binaries.ts";
import { initdbOptions } from "./postgres-options.ts";

const passwordFile = "owner.password";

/**
 * The data of an embedded PostgreSQL on disk, which PostgreSQL calls a cluster. The password of the database's owner is
 * a file inside the data directory, so that a moved or copied directory keeps it.
 */
export interface Cluster {
  data: string;
  log: string;
  user: string;
  password: string;
}

/** Returns the cluster in `dataDir`, and creates it if it is missing. */
export async function openCluster(dataDir: string, binaries: Binaries): Promise<Cluster> {
  const found = findCluster(dataDir);
  if (found) return found;
  const data = pathIn(dataDir);
  await createCluster(data, binaries);
  const made = findCluster(dataDir);
  if (made) return made;
  throw new StartError(`${data} is there, but it is not a PostgreSQL of ours: move it away.`);
}

/** Returns the cluster in `dataDir`; undefined if there is none, or no such folder. */
export function findCluster(dataDir: string): Cluster | undefined {
  try {
    const data = pathIn(dataDir);
    const password = readPassword(data);
    return { data, log: `${data}.log`, user: "postgres", password };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw explainFileError(`The data folder ${dataDir} (DATA_DIR) cannot be used`, error);
  }
}

function pathIn(dataDir: string): string {
  return join(realpathSync(dataDir), "postgres");
}

/**
 * Creates the cluster in a temporary directory (the draft) and then renames the directory, so that a killed start
 * leaves no incomplete cluster. If two starts do this at the same time, the second rename fails, and both use the first
 * cluster.
 */
async function createCluster(data: string, binaries: Binaries): Promise<void> {
  const draft = `${data}.draft-${randomBytes(6).toString("hex")}`;
  const draftPassword = `${draft}.password`;
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(draftPassword, randomBytes(24).toString("base64url"), { mode: 0o600, flush: true });
    if (binaries.user) {
      await chown(draft, binaries.user.uid, binaries.user.gid);
      await chown(draftPassword, binaries.user.uid, binaries.user.gid);
    }
    await initdb(draft, draftPassword, binaries);
    await rename(draftPassword, join(draft, passwordFile));
    await rename(draft, data).catch((error: NodeJS.ErrnoException) => {
      // Windows reports EPERM for a directory that exists already.
      if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(error.code ?? "")) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(draftPassword, { force: true });
  }
}

function readPassword(data: string): string {
  try {
    return readFileSync(join(data, passwordFile), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    throw new StartError(
      `The PostgreSQL in ${data} belongs to another user: run this as that user, or let root give it to this one (chown -R).`,
      error,
    );
  }
}

async function initdb(data: string, passwordPath: string, binaries: Binaries): Promise<void> {
  const [program = "", ...options] = [
    ...binaries.prefix,
    binaries.initdb,
    ...["-D", data, "-U", "postgres", "--pwfile", passwordPath, "-A", "scram-sha-256"],
    ...initdbOptions,
  ];
  await promisify(execFile)(program, options, { ...binaries.user, windowsHide: true }).catch((error) => {
    if (error.code === libraryNotFound) {
      const address = "https://aka.ms/vs/17/release/vc_redist.x64.exe";
      throw new StartError(`PostgreSQL needs the Visual C++ runtime of Microsoft: install ${address}`, error);
    }
    const output = error.stderr || error.message;
    throw new StartError(`PostgreSQL could not be set up: ${lastError(output)}`, output);
  });
}

/** With this code Windows ends a program whose libraries are not all there, STATUS_DLL_NOT_FOUND. */
const libraryNotFound = 0xc0000135;

/** Finds in the output of a program of PostgreSQL why it ended, without the time of the line. */
export function lastError(text: string): string {
  const [, reason] = [...text.matchAll(/(?:FATAL|PANIC|error): +(.+)/g)].at(-1) ?? [];
  return reason ?? (text.trim().split("\n").at(-1) || "it said nothing");
}
