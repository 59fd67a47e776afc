import { createServer } from "node:net";
import type { Cluster } from "./cluster.ts";

/** Where an embedded PostgreSQL listens: a socket in its own directory, or a port on loopback. */
export type Address = { socketDir: string; port?: undefined } | { port: number; socketDir?: undefined };

// The kernel's limit for the path of a socket is 103 bytes on macOS and 107 on Linux.
const socketPathBytesMax = 103;
const socketPort = 5432;

/** A socket, unless Windows or the length of the path is against it. */
export async function chooseAddress({ data }: Pick<Cluster, "data">): Promise<Address> {
  const fits = Buffer.byteLength(`${data}/.s.PGSQL.${socketPort}`) <= socketPathBytesMax;
  return fits && process.platform !== "win32" ? { socketDir: data } : { port: await freePort() };
}

/** The same address as PostgreSQL's own settings. */
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

/** How `pg` reaches it. */
export function connectionTo({ user, password }: Pick<Cluster, "user" | "password">, address: Address) {
  const where =
    address.socketDir === undefined
      ? { host: "127.0.0.1", port: address.port }
      : { host: address.socketDir, port: socketPort };
  return { ...where, user, password, database: "postgres" };
}

function freePort(): Promise<number> {
  return new Promise((found, fail) => {
    const probe = createServer().once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? found(address.port) : fail(new Error("no port"))));
    });
  });
}
