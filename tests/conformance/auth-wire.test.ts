import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { publicKey, startAuth } from "#tests/support/auth-server";

const server = await startAuth();
afterEach(() => expect(server.failures).toEqual([]));

test("a client that disconnects within its body causes no logged failure", async () => {
  const { port } = server.app.server.address() as AddressInfo;
  const received = once(server.app.server, "request");
  const socket = connect(port, "127.0.0.1");
  socket.end(`POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\napikey: ${publicKey}\r\nContent-Length: 9\r\n\r\n{`);
  const [, response] = (await received) as [unknown, ServerResponse];
  await once(response, "close");
  await new Promise(setImmediate);
  expect(server.failures).toEqual([]);
});

describe("the shape of an error", () => {
  const grant = "/auth/v1/token?grant_type=password";
  const body = { email: "nobody@example.com", password: "x" };

  test.each(["2024-01-01", "2023-12-31", ""])("for a client of API version %j has a code", async (version) => {
    const answer = await server.call(grant, { body, headers: { "x-supabase-api-version": version } });
    expect(await answer.json()).toEqual({ code: "invalid_credentials", message: "Invalid login credentials" });
    expect(answer.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect(answer.headers.get("x-sb-error-code")).toBe("invalid_credentials");
  });
});

describe("the public API key", () => {
  const missing = {
    message: "No API key found in request",
    hint: "No `apikey` request header or url param was found.",
  };

  test("is required by every auth endpoint except /verify and jwks.json", async () => {
    for (const path of ["/settings", "/health", "/user", "/nothing", "/factors/1/verify"]) {
      const answer = await fetch(`${server.url}/auth/v1${path}`);
      expect([path, answer.status, await answer.json()]).toEqual([path, 401, missing]);
    }
    expect((await fetch(`${server.url}/auth/v1/.well-known/jwks.json`)).status).toBe(200);
    expect((await fetch(`${server.url}/auth/v1/verify`)).status).toBe(400);
  });

  test("can be sent as a query parameter instead of a header", async () => {
    const answer = await fetch(`${server.url}/auth/v1/settings?apikey=${publicKey}`);
    expect(await answer.json()).toMatchObject({
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: false,
      password_min_length: 8,
    });
  });

  test("is refused with 401 if it is wrong", async () => {
    const answer = await server.call("/auth/v1/health", { headers: { apikey: "sb_secret_x" } });
    expect([answer.status, (await answer.json()).message]).toEqual([401, "Invalid API key"]);
  });
});

describe("a request body", () => {
  const deep = (levels: number) => `{"data":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}`;

  test.each([
    ["empty", "", 400],
    ["not JSON", "{", 400],
    ["null", "null", 400],
    ["a list", "[]", 400],
    ["a string", '"x"', 400],
    ["with a number instead of a string", '{"email":1,"password":"correct horse","refresh_token":{}}', 400],
    ["with a list as data", '{"email":"a@example.com","password":"correct horse","data":[]}', undefined],
    ["with a NUL", '{"email":"a@example.com","password":"correct horse","data":{"a":"\\u0000"}}', 400],
    ["with a NUL in a key", '{"email":"a@example.com","password":"correct horse","data":{"\\u0000":1}}', 400],
    ["with half a surrogate pair", '{"email":"a@example.com","password":"correct horse","data":{"a":"\\ud800"}}', 400],
    ["nested deeply", deep(300), 400],
    ["nested very deeply", deep(10_000), 400],
    ["too large", JSON.stringify({ email: "x".repeat(64 * 1024) }), 413],
  ])("(%s) is refused with a 4xx status by the endpoints that read a body", async (_what, body, status) => {
    for (const path of [
      "/signup",
      "/token?grant_type=password",
      "/token?grant_type=refresh_token",
      "/verify",
      "/resend",
    ]) {
      const answer = await server.call(`/auth/v1${path}`, { method: "POST", body });
      if (status) expect([path, answer.status]).toEqual([path, status]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(await answer.json()).toEqual({ code: expect.any(String), message: expect.any(String) });
    }
  });

  test("that is not UTF-8 is refused", async () => {
    const answer = await fetch(`${server.url}/auth/v1/signup`, {
      method: "POST",
      headers: { apikey: publicKey, "content-type": "application/json" },
      body: Buffer.from([0x22, 0xff, 0x22]),
    });
    expect(answer.status).toBe(400);
  });

  test("with a content type other than JSON is still read as JSON", async () => {
    const body = { email: "a@example.com", password: "x" };
    for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
      const answer = await server.call("/auth/v1/token?grant_type=password", {
        body,
        headers: { "content-type": type },
      });
      expect((await answer.json()).code).toBe("invalid_credentials");
    }
  });

  test("with the key __proto__ does not change Object.prototype", async () => {
    const body =
      '{"email":"proto@example.com","password":"correct horse","data":{"__proto__":{"x":1},"constructor":2}}';
    const answer = await server.call("/auth/v1/signup", { method: "POST", body });
    expect(answer.status).toBe(200);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

test("a server error gets status 500 and a readable message; the log contains no secret", async () => {
  const broken = await startAuth();
  await broken.database.owner.query("alter table auth.users add constraint broken check (email is null)");
  const answer = await broken.call("/auth/v1/signup", {
    body: { email: "secret.person@example.com", password: "secret password" },
  });
  expect(answer.status).toBe(500);
  const message = expect.stringMatching(/^Something went wrong/);
  expect(await answer.json()).toEqual({ code: "unexpected_failure", message });
  expect(broken.failures).toHaveLength(1);
  expect(JSON.stringify(broken.failures)).not.toMatch(/secret|argon2/);
});

test("while PostgreSQL is unavailable, requests get status 503, which the client may retry", async () => {
  const owner = new pg.Pool({ host: "127.0.0.1", port: 1, max: 1 });
  const unavailable = await startAuth({ owner });
  const grant = "/auth/v1/token?grant_type=refresh_token";
  const body = { refresh_token: "x".repeat(43) };
  const answer = await unavailable.call(grant, { body });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await answer.json()).toEqual({ code: "unexpected_failure", message: expect.stringContaining("try again") });

  const { error } = await unavailable.client().auth.signInWithPassword({ email: "ada@example.com", password: "x" });
  expect(error).toMatchObject({ name: "AuthRetryableFetchError", status: 503 });
  expect(unavailable.failures).toHaveLength(2);
  await owner.end();
});

test("a request that waits too long for a database connection is answered with 504", async () => {
  const busy = await startAuth();
  const { owner } = busy.database;
  const taken = await Promise.all(Array.from({ length: owner.options.max ?? 10 }, () => owner.connect()));
  owner.options.connectionTimeoutMillis = 300;
  const answer = await busy.call("/auth/v1/token?grant_type=refresh_token", {
    body: { refresh_token: "x".repeat(43) },
  });
  expect([answer.status, (await answer.json()).code]).toEqual([504, "request_timeout"]);
  for (const each of taken) each.release();
});
