import { connect as connectSocket } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "#backend/database/connections";
import { defaultTimeouts } from "#backend/http/timeouts";
import { createDatabase } from "#tests/support/database";
import { startFakePostgres } from "#tests/support/fake-postgres";
import { onFinished } from "#tests/support/on-finished";
import { loadSigningKeys } from "#tests/support/signing-keys";
import { silentLog } from "#tests/support/silent-log";
import { type AppParts, buildApp } from "./app.ts";
import { CapturedMailbox } from "./mail/dev-mailbox.ts";
import { defaultPublicKey, readSettings } from "./settings.ts";

const database = await createDatabase();
const backend = { ...database, keys: await loadSigningKeys(database.owner), mailbox: new CapturedMailbox() };
const parts: AppParts = {
  settings: readSettings({ TRUST_PROXY: "loopback" }),
  backend,
  assets: new Map(),
  log: pino({ level: "silent" }),
};
const build = (changed: Partial<AppParts>) => {
  const built = buildApp({ ...parts, ...changed });
  onFinished(() => built.close());
  return built;
};
const app = build({ timeLimits: { ...defaultTimeouts, head: 0.2, request: 0.2, check: 0.05 } });
await app.listen({ host: "127.0.0.1", port: 0 });

const key = { apikey: defaultPublicKey };

test.each(["/auth/v1", "/auth/v1/nothing", "/auth/v1/user/nothing?x=1"])(
  "nothing is at %s: each method gets the auth API's 404 with CORS headers, a browser too",
  async (url) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
      const headers = { ...key, accept: "text/html", "x-supabase-api-version": "2024-01-01" };
      const answer = await app.inject({ method, url, headers });
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        { code: "not_found", message: "There is nothing at this address" },
      ]);
      expect(answer.headers).toMatchObject({ "access-control-allow-origin": "*", "cache-control": "no-store" });
    }
  },
);

test.each([
  ["without TRUST_PROXY", "", "203.0.113.9", 1],
  ["that names the visitor's address", "loopback", "203.0.113.9:51234", 0],
  ["that names no readable address", "loopback", "unknown", 1],
  ["that names a private address", "loopback", "10.0.0.7", 1],
])("a proxy %s is logged once or not at all", async (_what, trustProxy, forwarded, times) => {
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void warnings.push(line) });
  const logging = build({ settings: readSettings({ TRUST_PROXY: trustProxy }), log });
  for (let request = 0; request < 2; request++)
    await logging.inject({ url: "/", headers: { "x-forwarded-for": forwarded } });
  expect(warnings).toHaveLength(times);
});

test("storing or changing a contact and requesting a mail wake the queue; a read and a refusal do not", async () => {
  let wakes = 0;
  const waking = build({ wakeQueue: () => wakes++ });
  const send = (url: string, payload?: object, method: "GET" | "POST" | "PATCH" = payload ? "POST" : "GET") =>
    waking.inject({ method, url, headers: key, ...(payload && { payload }) });
  const contact = { name: "Ida", company: "Owls", email: "wakes@example.com", interest: "consulting" };
  expect((await send("/rest/v1/contacts", contact)).statusCode).toBe(201);
  await expect.poll(() => wakes).toBe(1);
  expect((await send("/auth/v1/recover", { email: "wakes@example.com" })).statusCode).toBe(200);
  await expect.poll(() => wakes).toBe(2);
  // A change to "not spam" announces the contact.
  await database.owner.query("grant select (id), update (state) on contacts to anon");
  const change = send(`/rest/v1/contacts?id=eq.${crypto.randomUUID()}`, { state: "new" }, "PATCH");
  expect((await change).statusCode).toBe(204);
  await expect.poll(() => wakes).toBe(3);
  expect((await send("/rest/v1/contacts", { ...contact, email: "" })).statusCode).toBe(400);
  expect((await send("/auth/v1/settings")).statusCode).toBe(200);
  await waking.close();
  expect(wakes).toBe(3);
});

test.each(["/rest/v1/%ff", "/rest/v1/%", "/rest/v1/contacts%zz?select=*", "/rest/v1/rpc/%c0%ae"])(
  "the broken URL %s gets 400 in the data API's format, with CORS headers",
  async (url) => {
    for (const method of ["GET", "POST"] as const) {
      const { statusCode, headers, ...answer } = await app.inject({ method, url, headers: key });
      expect([statusCode, answer.json()]).toEqual([
        400,
        { code: "PGRST102", message: expect.any(String), details: null, hint: null },
      ]);
      expect(headers).toMatchObject({
        "access-control-allow-origin": "*",
        "cache-control": "no-store",
        "proxy-status": "PostgREST; error=PGRST102",
        "x-content-type-options": "nosniff",
      });
    }
  },
);

test("a broken auth API URL gets 400 in the auth API's format, with CORS headers", async () => {
  const modern = { ...key, "x-supabase-api-version": "2024-01-01" };
  const { statusCode, headers, ...answer } = await app.inject({ url: "/auth/v1/factors/%ff", headers: modern });
  expect([statusCode, answer.json()]).toEqual([400, { code: "validation_failed", message: expect.any(String) }]);
  expect(headers).toMatchObject({ "access-control-allow-origin": "*", "x-sb-error-code": "validation_failed" });
});

test("a preflight request for a broken URL gets 204, so that pages can read the error", async () => {
  const answer = await app.inject({ method: "OPTIONS", url: "/rest/v1/%ff" });
  expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([204, "*"]);
  expect(answer.headers["access-control-allow-headers"]).toContain("apikey");
});

test("a broken URL outside of the APIs gets 400 without CORS headers", async () => {
  const answer = await app.inject({ url: "/%ff" });
  expect([answer.statusCode, answer.json()]).toEqual([400, { message: "Bad Request" }]);
  expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
});

test("the dev mailbox answers a request with its key, with a policy that keeps the key from pages that its links open", async () => {
  const answer = await app.inject({ url: `/dev/mail.json?key=${backend.mailbox?.key}` });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "strict-origin" });
});

test("a request stops waiting for PostgreSQL if the server stops", async () => {
  const postgres = await startFakePostgres([{ isStarting: true }]);
  const { owner, caller, close } = connect(postgres.connection, silentLog);
  onTestFinished(close);
  // With its usual limit, the pool would end the wait before this test does.
  for (const pool of [owner, caller]) pool.options.connectionTimeoutMillis = 10 * 60 * 1000;
  const timeLimits = { ...defaultTimeouts, stopWait: 0.01 };
  const waiting = build({ backend: { ...backend, owner, caller }, timeLimits });
  const url = await waiting.listen({ host: "127.0.0.1", port: 0 });
  const answer = fetch(`${url}/rest/v1/contacts`, {
    method: "POST",
    headers: { ...key, "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada" }),
  });
  await expect.poll(() => postgres.statements.length).toBeGreaterThan(1);
  await waiting.close();
  expect((await answer).status).toBe(503);
});

test("a request that waits for PostgreSQL when the server stops is answered if PostgreSQL comes back", async () => {
  const postgres = await startFakePostgres([...Array(3).fill({ isStarting: true }), {}]);
  const { owner, caller, close } = connect(postgres.connection, silentLog);
  const waiting = build({ backend: { ...backend, owner, caller } });
  const url = await waiting.listen({ host: "127.0.0.1", port: 0 });
  const answer = fetch(`${url}/rest/v1/contacts`, { headers: key });
  await expect.poll(() => postgres.statements.length).toBeGreaterThan(0);
  await waiting.close();
  // This PostgreSQL knows no table.
  expect((await answer).status).toBe(404);
  await close();
});

test("an incomplete request body gets 408", async () => {
  const { port } = new URL(app.listeningOrigin);
  const client = connectSocket(Number(port), "127.0.0.1");
  const headers = `Host: x\r\napikey: ${key.apikey}\r\nContent-Type: application/json\r\nContent-Length: 100`;
  client.write(`POST /rest/v1/contacts HTTP/1.1\r\n${headers}\r\n\r\n{`);
  expect(await text(client)).toMatch(/^HTTP\/1\.1 408 /);
});

test.each([
  ["/rest/v1/contacts", 413, { code: "PGRST102", message: "Request body is too large", details: null, hint: null }],
  ["/auth/v1/signup", 413, { code: "request_entity_too_large", message: expect.any(String) }],
  ["/contact", 413, { message: "Payload Too Large" }],
  ["/auth/v1/nothing", 404, { code: "not_found", message: expect.any(String) }],
  ["/nothing", 404, { message: "Not Found" }],
])("a large body without a token is answered at %s with %i before it has come", async (path, status, shape) => {
  const { port } = new URL(app.listeningOrigin);
  const type = path === "/contact" ? "application/x-www-form-urlencoded" : "application/json";
  const chunk = `${(65 * 1024).toString(16)}\r\n${" ".repeat(65 * 1024)}\r\n`;
  for (const length of ["Content-Length: 65537\r\n\r\n", `Transfer-Encoding: chunked\r\n\r\n${chunk}`]) {
    const client = connectSocket(Number(port), "127.0.0.1");
    client.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\napikey: ${key.apikey}\r\nX-Supabase-Api-Version: 2024-01-01\r\n` +
        `Accept: application/json\r\nContent-Type: ${type}\r\n${length}`,
    );
    let received = "";
    client.on("data", (data) => {
      received += data;
    });
    await expect.poll(() => received).toMatch(/\r\n\r\n./);
    client.destroy();
    const [head = "", body = ""] = received.split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body)).toEqual(shape);
  }
});

test("with a hosted project, the app has neither API nor mailbox, not even for a broken URL", async () => {
  const settings = readSettings({ PUBLIC_SUPABASE_URL: "https://project.example" });
  const hosted = build({ settings, backend: undefined });
  const ask = (method: "GET" | "POST", url: string) =>
    hosted.inject({
      method,
      url,
      headers: { ...key, host: "localhost:3000" },
      ...(method === "POST" && { payload: {} }),
    });
  for (const url of ["/rest/v1/contacts", "/auth/v1/settings", "/auth/v1/health", "/dev/mail", "/dev/mail.json"]) {
    const answer = await ask("GET", url);
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 404, { message: "Not Found" }]);
  }
  for (const url of ["/rest/v1/contacts", "/rest/v1/rpc/has_role", "/auth/v1/signup", "/auth/v1/token"])
    expect([url, (await ask("POST", url)).statusCode]).toEqual([url, 404]);
  expect((await ask("GET", "/rest/v1/%ff")).json()).toEqual({ message: "Bad Request" });
});
