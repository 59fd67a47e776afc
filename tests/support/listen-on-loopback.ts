import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";
import { onFinished } from "./on-finished.ts";

/** Lets a server listen on loopback until the end of the test or file. Resolves with its port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
