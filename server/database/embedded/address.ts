import { once } from "node:events";
import { chown, mkdtemp } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
