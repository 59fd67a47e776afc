import { rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "#server/start-error";
import { Client } from "../client.ts";
import { type Address, chooseAddress, connectionTo } from "./address.ts";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { findPostmaster, launch, type Postmaster } from "./postgres-process.ts";

const startSecondsMax = 60;

/** Errors that go away by themselves: a killed PostgreSQL left something behind, or another start is under way. */
const transientErrors =
  /pre-existing shared memory block|lock file .* (already exists|is empty)|could not create any (TCP\/IP|Unix)|could not bind/i;

/** Starts PostgreSQL unless it runs already, and resolves with its address once it answers. */
export async function ensureRunning(cluster: Cluster, binaries: Binaries, address?: Address): Promise<Address> {
  const deadline = Date.now() + startSecondsMax * 1000;
  let launching = false;
  let startError: string | undefined;
  let found: Postmaster | undefined;

  while (Date.now() < deadline) {
    found = await findPostmaster(cluster);
    // Does not connect while PostgreSQL starts or recovers, because PostgreSQL starts a process for each connection
    // attempt.
    if (found && !found.isStarting && (await answers(cluster, found.address))) return found.address;
    if (startError && !transientErrors.test(startError)) break;
    if (!found && !launching) {
      launching = true;
      address ??= await chooseAddress(cluster, binaries);
      const { ended } = await launch(cluster, binaries, address);
      ended.then(async (reason) => {
        // An error of the removal is ignored: if the file stays, the next start fails with the same message.
        await removeEmptyLock(cluster, reason ?? "").catch(() => {});
        startError = reason;
        launching = false;
      });
    }
    await pause(20);
  }
  const silence = found
    ? `process ${found.pid} does not answer; if that is another program, remove ${cluster.data}/postmaster.pid`
    : "it does not answer";
  throw new StartError(`PostgreSQL does not start: ${startError ?? silence} (its log: ${cluster.log})`);
}

/**
 * A lock file that stays empty for longer than this was left by a killed start, because a start writes into it at once.
 */
const emptyLockSeconds = 1;

/**
 * If PostgreSQL is killed between creating and writing its lock file, an empty lock file remains, which blocks every
 * later start.
 */
async function removeEmptyLock(cluster: Cluster, message: string): Promise<void> {
  const [, name] = /lock file "(.+)" is empty/.exec(message) ?? [];
  if (!name) return;
  const file = resolve(cluster.data, name);
  const found = await stat(file).catch(() => undefined);
  const isStale = found?.size === 0 && Date.now() - found.mtimeMs > emptyLockSeconds * 1000;
  if (isStale) await rm(file, { force: true });
}

/** Whether the PostgreSQL at this address answers; throws if it belongs to other data. */
async function answers(cluster: Cluster, address: Address): Promise<boolean> {
  const client = new Client({ ...connectionTo(cluster, address), connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    const { rows } = await client.query("select current_setting('data_directory') as data");
    if (rows[0].data === cluster.data) return true;
  } catch (error) {
    // SQLSTATE class 28 means that the password is wrong, so this is another PostgreSQL. Any other error will go away:
    // PostgreSQL is starting, recovering or stopping.
    if (!(error as { code?: string }).code?.startsWith("28")) return false;
  } finally {
    await client.end().catch(() => {});
  }
  throw new StartError(`The PostgreSQL that runs for ${cluster.data} is not ours: stop it first.`);
}
