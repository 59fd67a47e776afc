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

// The limit of the kernel for the path of a socket: 103 bytes on macOS, 107 on Linux.
const socketPathBytesMax = 103;
const socketPort = 5432;

/** A socket in the data directory. Only on Windows a port, which any program of the machine could take after a crash. */
export async function chooseAddress({ data }: Pick<Cluster, "data">): Promise<Address> {
  return process.platform === "win32"
    ? { host: "127.0.0.1", port: await freePort() }
    : { host: data, port: socketPort };
}

/**
 * Refuses a path that is too long for a socket, and a file system without sockets, which PostgreSQL would name in its log only. The socket must not be elsewhere:
 * another machine may share the folder, and its PostgreSQL would write into the same files.
 */
export async function requireSockets(dataDir: string): Promise<void> {
  if (process.platform === "win32") return;
  const excess = Buffer.byteLength(`${realpathSync(dataDir)}/postgres/.s.PGSQL.${socketPort}`) - socketPathBytesMax;
  if (excess > 0)
    throw new StartError(
      `The path ${dataDir} is ${excess} bytes too long for a socket of PostgreSQL: name a shorter one in DATA_DIR.`,
    );
  const path = join(dataDir, `.s.${randomBytes(6).toString("hex")}`);
  const probe = createServer().listen(path);
  await once(probe, "listening")
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EPERM" && describeFileError(error)) throw error;
      throw new StartError(
        `PostgreSQL cannot make a socket in ${dataDir}, which is a shared folder or a disk of Windows, as /mnt/c is: name a folder on a disk of this machine in DATA_DIR.`,
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
