import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describeFileError, StartError } from "#process/start-error";
import type { Cluster } from "./cluster.ts";

/** The address of an embedded PostgreSQL. Its host is the folder of a socket, or on Windows loopback. */
export interface Address {
  host: string;
  port: number;
}

const socketPort = 5432;

/** A socket in the data directory. Only on Windows a port, which any program of the machine could take after a crash. */
export async function chooseAddress({ data }: Pick<Cluster, "data">): Promise<Address> {
  return process.platform === "win32"
    ? { host: "127.0.0.1", port: await freePort() }
    : { host: data, port: socketPort };
}

/**
 * Refuses a folder that can hold no socket, which PostgreSQL would name in its log only. The socket must not be elsewhere:
 * another machine may share the folder, and its PostgreSQL would write into the same files.
 */
export async function requireSockets(dataDir: string): Promise<void> {
  if (process.platform === "win32") return;
  // As long as the path of PostgreSQL's own socket: systems allow about a hundred bytes.
  const path = join(realpathSync(dataDir), `.s.${randomBytes(10).toString("hex")}`);
  const probe = createServer().listen(path);
  await once(probe, "listening")
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EPERM" && describeFileError(error)) throw error;
      throw new StartError(
        `PostgreSQL cannot make a socket in ${dataDir}: the path is too long, or this is a shared folder or a disk of Windows, as /mnt/c is. Name a folder with a short path on a disk of this machine in DATA_DIR.`,
        error,
      );
    })
    .finally(() => {
      probe.close();
      // Some file systems leave an empty file.
      return rm(path, { force: true });
    });
}

/** How `pg` connects to the address as the owner of the database. */
export function connectionTo({ user, password }: Pick<Cluster, "user" | "password">, { host, port }: Address) {
  return { host, port, user, password, database: "postgres" };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
