import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { test as base } from "./accounts.ts";
import { sitePort } from "./address.ts";

/**
 * Two kinds of silence, and connections stay open in both. To a process that was "stopped" all that was sent arrives
 * later; on a network that drops its packets ("unplugged") what belongs to a connection that was given up is lost.
 */
type Silence = "stopped" | "unplugged";

/** The site at another address, behind a proxy that can fall silent. */
export interface SilentServer {
  url: string;
  silence(how?: Silence): void;
  /** What was held back passes now. */
  resume(): void;
}

export const test = base.extend<{ server: SilentServer }>({
  server: async ({ browserName: _ }, use) => {
    const sockets = new Set<Socket>();
    const held: (() => void)[] = [];
    let silence: Silence | undefined;
    const pass = (work: () => void) => (silence ? void held.push(work) : work());

    const proxy = createServer((visitor) => {
      const site = connect(sitePort, "localhost");
      join(visitor, site);
      join(site, visitor);
    });
    function join(from: Socket, to: Socket) {
      sockets.add(from);
      from.on("data", (bytes) => pass(() => void (to.destroyed || to.write(bytes))));
      from.on("end", () => (silence === "unplugged" ? to.destroy() : pass(() => to.end())));
      from.on("error", () => to.destroy());
      from.on("close", () => sockets.delete(from));
    }

    await new Promise<void>((done) => proxy.listen(0, "localhost", done));
    await use({
      url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
      silence(how = "stopped") {
        silence = how;
      },
      resume() {
        silence = undefined;
        for (const work of held.splice(0)) work();
      },
    });
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => proxy.close(done));
  },
});
