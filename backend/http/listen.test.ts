import { once } from "node:events";
import { createServer } from "node:net";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { StartError } from "#process/start-error";
import { listen } from "./listen.ts";

test("if only the first of localhost's two sockets is open, `close` waits for the second socket", async () => {
  const app = Fastify();
  const { ready, close } = listen(app, { host: "localhost", port: 0 });
  // Now Fastify has one socket and is about to open the other.
  await once(app.server, "listening");
  await close();
  await ready;
  expect(app.server.listening).toBe(false);
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
