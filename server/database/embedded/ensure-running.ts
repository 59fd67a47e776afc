import { rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "#server/start-error";
import { Client } from "../client.ts";
import { type Address, chooseAddress, connectionTo } from "./address.ts";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { findPostmaster, launch } from "./postmaster.ts";

const patienceSeconds = 60;

/** What PostgreSQL says while the remains of a killed one, or another start, are still in the way. */
const passing =
  /pre-existing shared memory block|lock file .* (already exists|is empty)|could not create any (TCP\/IP|Unix)|could not bind/i;

/** Resolves with the address of the cluster's PostgreSQL once it answers: the one that runs already, or a new one. */
export async function ensureRunning(cluster: Cluster, programs: Binaries, address?: Address): Promise<Address> {
  const deadline = Date.now() + patienceSeconds * 1000;
  let launching = false;
  let complaint: string | undefined;

  while (Date.now() < deadline) {
    const found = await findPostmaster(cluster);
    // Every connection costs PostgreSQL a process, so none is tried while it recovers.
    if (found && !found.isStarting && (await answers(cluster, found.address))) return found.address;
    if (complaint && !passing.test(complaint)) break;
    if (!found && !launching) {
      launching = true;
      const { ended } = await launch(cluster, programs, address ?? (await chooseAddress(cluster)));
      ended.then(async (reason) => {
        // If it cannot be removed, PostgreSQL says so again.
        await removeEmptyLock(cluster, reason ?? "").catch(() => {});
        complaint = reason;
        launching = false;
      });
    }
    await pause(20);
  }
  throw new StartError(`PostgreSQL does not start: ${complaint ?? "it does not answer"} (its log: ${cluster.log})`);
}

/** Another start writes into its lock file within a moment of making it. */
const emptyLockSeconds = 1;

/**
 * PostgreSQL killed between making a lock file and writing its process id into it leaves it empty, and refuses to start
 * until it is removed.
 */
async function removeEmptyLock(cluster: Cluster, complaint: string): Promise<void> {
  const [, name] = /lock file "(.+)" is empty/.exec(complaint) ?? [];
  if (!name) return;
  const file = resolve(cluster.data, name);
  const found = await stat(file).catch(() => undefined);
  const isLeft = found?.size === 0 && Date.now() - found.mtimeMs > emptyLockSeconds * 1000;
  if (isLeft) await rm(file, { force: true });
}

/** Whether the PostgreSQL at this address answers; throws if it is not the one that belongs to these data. */
async function answers(cluster: Cluster, address: Address): Promise<boolean> {
  const client = new Client({ ...connectionTo(cluster, address), connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    const { rows } = await client.query("select current_setting('data_directory') as data");
    if (rows[0].data === cluster.data) return true;
  } catch (error) {
    // 28…: it does not know our password. Anything else passes: it is starting, recovering or going down.
    if (!(error as { code?: string }).code?.startsWith("28")) return false;
  } finally {
    await client.end().catch(() => {});
  }
  throw new StartError(`The PostgreSQL that runs for ${cluster.data} is not ours: stop it first.`);
}
