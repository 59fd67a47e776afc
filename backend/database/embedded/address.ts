import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeFileError, StartError } from "#process/start-error";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";

/** The address of an embedded PostgreSQL. Its host is the folder of a socket, or on Windows loopback. */
export interface Address {
  host: string;
  port: number;
}

// The limit of the kernel for the path of a socket: 103 bytes on macOS, 107 on Linux.
const socketPathBytesMax = 103;
const socketPort = 5432;

/**
 * A socket in the data directory, or in a private folder of its own if that path is too long. Only on Windows a port,
 * which any program of the machine could take after a crash.
 */
export async function chooseAddress(
  { data }: Pick<Cluster, "data">,
  { user }: Pick<Binaries, "user">,
): Promise<Address> {
  if (process.platform === "win32") return { host: "127.0.0.1", port: await freePort() };
  if (Buffer.byteLength(`${data}/.s.PGSQL.${socketPort}`) <= socketPathBytesMax)
    return { host: data, port: socketPort };
  const host = await mkdtemp(join(tmpdir(), "postgres-"));
  if (user) await chown(host, user.uid, user.gid);
  return { host, port: socketPort };
}

/**
 * Refuses a file system without sockets, which PostgreSQL would name in its log only. The socket must not be elsewhere:
 * another machine may share the folder, and its PostgreSQL would write into the same files.
 */
export async function requireSockets(dataDir: string): Promise<void> {
  const path = join(dataDir, `.s.${randomBytes(6).toString("hex")}`);
  if (process.platform === "win32" || Buffer.byteLength(path) > socketPathBytesMax) return;
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
