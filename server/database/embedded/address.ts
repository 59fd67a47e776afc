import { createServer } from "node:net";
import type { Cluster } from "./cluster.ts";

/** The address of an embedded PostgreSQL: a socket in its own directory, or a port on loopback. */
export type Address = { socketDir: string; port?: undefined } | { port: number; socketDir?: undefined };

// The limit of the kernel for the path of a socket: 103 bytes on macOS, 107 on Linux.
const socketPathBytesMax = 103;
const socketPort = 5432;

/** Chooses a socket, or a port if the system is Windows or the path is too long for a socket. */
export async function chooseAddress({ data }: Pick<Cluster, "data">): Promise<Address> {
  const fits = Buffer.byteLength(`${data}/.s.PGSQL.${socketPort}`) <= socketPathBytesMax;
  return fits && process.platform !== "win32" ? { socketDir: data } : { port: await freePort() };
}

/** Returns the settings with which PostgreSQL listens at the address. */
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

/** Returns the options with which `pg` connects to the address. */
export function connectionTo({ user, password }: Pick<Cluster, "user" | "password">, address: Address) {
  const hostAndPort =
    address.socketDir === undefined
      ? { host: "127.0.0.1", port: address.port }
      : { host: address.socketDir, port: socketPort };
  return { ...hostAndPort, user, password, database: "postgres" };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
