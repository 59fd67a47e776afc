import { once } from "node:events";
import { chown, mkdtemp } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";

/** The address of an embedded PostgreSQL: a socket, or on Windows a port on loopback. */
export type Address = { socketDir: string; port?: undefined } | { port: number; socketDir?: undefined };

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
  if (process.platform === "win32") return { port: await freePort() };
  if (Buffer.byteLength(`${data}/.s.PGSQL.${socketPort}`) <= socketPathBytesMax) return { socketDir: data };
  const socketDir = await mkdtemp(join(tmpdir(), "postgres-"));
  if (user) await chown(socketDir, user.uid, user.gid);
  return { socketDir };
}

/** The settings with which PostgreSQL listens at the address. */
export function settingsFor(address: Address): string[] {
  return address.socketDir === undefined
    ? ["listen_addresses=127.0.0.1", "unix_socket_directories=", `port=${address.port}`]
    : [
        "listen_addresses=",
        `unix_socket_directories="${address.socketDir}"`,
        "unix_socket_permissions=0700",
        `port=${socketPort}`,
      ];
}

/** How `pg` connects to the address as the owner of the database. */
export function connectionTo({ user, password }: Pick<Cluster, "user" | "password">, address: Address) {
  const { socketDir: host = "127.0.0.1", port = socketPort } = address;
  return { host, port, user, password, database: "postgres" };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
