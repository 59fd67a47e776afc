import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import Fastify from "fastify";
import { expect, test, vi } from "vitest";
import { StartError } from "#process/start-error";
import { listen } from "./listen.ts";

test("localhost is listened on at ::1 too, by the same server", async () => {
  const app = Fastify();
  app.get("/", () => "answered");
  const { ready, close } = listen(app, { host: "localhost", port: 0 });
  await ready;
  const { port } = app.server.address() as AddressInfo;
  const hosts = ["127.0.0.1", ...(hasIpv6() ? ["[::1]"] : [])];
  for (const host of hosts) {
    const answer = await vi.waitFor(() => fetch(`http://${host}:${port}/`), { timeout: 30_000 });
    expect(await answer.text()).toBe("answered");
  }
  await close();
  for (const host of hosts) await expect(fetch(`http://${host}:${port}/`)).rejects.toThrow();
});

test("`close` before listening leaves no port open, even if `close` is called twice", async () => {
  const app = Fastify();
  const { close } = listen(app, { host: "localhost", port: 0 });
  await Promise.all([close(), close()]);
  expect(app.server.listening).toBe(false);
});

test("if the port is in use, `ready` rejects with a StartError, and `close` still works", async () => {
  const other = createServer().listen(0, "localhost");
  await once(other, "listening");
  const address = other.address();
  const port = address && typeof address === "object" ? address.port : 0;
  const { ready, close } = listen(Fastify(), { host: "localhost", port });
  await expect(ready).rejects.toThrow(
    new StartError(
      `Port ${port} is in use by another program. Stop it, or choose another, such as PORT=${port + 1} in the file .env.`,
    ),
  );
  await close();
  other.close();
});

test.each(["192.0.2.254", "2001:db8::1", "fe80::1", "http://localhost"])(
  "if the host is %s, which is not this machine, `ready` rejects with a StartError that names HOST",
  async (host) => {
    const { ready, close } = listen(Fastify(), { host, port: 0 });
    await expect(ready).rejects.toThrow(
      new StartError(
        `HOST is ${host}, which is not an address of this machine. Set it to localhost, to one of its addresses, or to 0.0.0.0 for all.`,
      ),
    );
    await close();
  },
);

test("an error while accepting a connection does not stop the server", async () => {
  const app = Fastify();
  const { ready, close } = listen(app, { host: "127.0.0.1", port: 0 });
  await ready;
  app.server.emit("error", new Error("accept EMFILE"));
  await close();
});

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((entries) => entries?.some(({ address }) => address === "::1"));
}
