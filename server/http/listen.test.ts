import { once } from "node:events";
import { createServer } from "node:net";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { StartError } from "#server/start-error";
import { listen } from "./listen.ts";

test("a close between the openings of localhost's two sockets waits for the second", async () => {
  const app = Fastify();
  const { ready, close } = listen(app, { host: "localhost", port: 0 });
  // Now Fastify has one socket and is about to open the other.
  await once(app.server, "listening");
  await close();
  await ready;
  expect(app.server.listening).toBe(false);
});

test("a close before listening leaves no open port; a second close changes nothing", async () => {
  const app = Fastify();
  const { close } = listen(app, { host: "localhost", port: 0 });
  await Promise.all([close(), close()]);
  expect(app.server.listening).toBe(false);
});

test("on a port in use, `ready` rejects with one sentence, and `close` still works", async () => {
  const other = createServer().listen(0, "localhost");
  await once(other, "listening");
  const address = other.address();
  const port = address && typeof address === "object" ? address.port : 0;
  const { ready, close } = listen(Fastify(), { host: "localhost", port });
  await expect(ready).rejects.toThrow(
    new StartError(`Port ${port} is in use by another program. Stop it, or set PORT to another number.`),
  );
  await close();
  other.close();
});

test("a connection that cannot be accepted does not end the server", async () => {
  const app = Fastify();
  const { ready, close } = listen(app, { host: "127.0.0.1", port: 0 });
  await ready;
  app.server.emit("error", new Error("accept EMFILE"));
  await close();
});
