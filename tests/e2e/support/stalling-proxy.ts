import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { sitePort } from "../../support/site.ts";
import { test as base } from "./accounts.ts";

/**
 * Two ways to stop forwarding data without closing connections. "stopped" acts like a frozen server process: all data
 * arrives after `resume`. "unplugged" acts like a network that drops packets: the data of a connection that the browser
 * has closed in the meantime is lost.
 */
type Stall = "stopped" | "unplugged";

/** The site at another address, behind a proxy that can stop forwarding data. */
export interface StallingProxy {
  url: string;
  stall(kind?: Stall): void;
  /** Forwards the data that was held back, and all later data. */
  resume(): void;
}

export const test = base.extend<{ server: StallingProxy }>({
  server: async ({ browserName: _ }, use) => {
    const sockets = new Set<Socket>();
    const held: (() => void)[] = [];
    let stall: Stall | undefined;
    const forward = (work: () => void) => (stall ? void held.push(work) : work());

    const proxy = createServer((browser) => {
      const site = connect(sitePort, "localhost");
      pipe(browser, site);
      pipe(site, browser);
    });
    function pipe(from: Socket, to: Socket) {
      sockets.add(from);
      from.on("data", (bytes) => forward(() => void (to.destroyed || to.write(bytes))));
      from.on("end", () => (stall === "unplugged" ? to.destroy() : forward(() => to.end())));
      from.on("error", () => to.destroy());
      from.on("close", () => sockets.delete(from));
    }

    await new Promise<void>((done) => proxy.listen(0, "localhost", done));
    await use({
      url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
      stall(kind = "stopped") {
        stall = kind;
      },
      resume() {
        stall = undefined;
        for (const work of held.splice(0)) work();
      },
    });
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => proxy.close(done));
  },
});
