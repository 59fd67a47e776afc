import type { Pool } from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { takeLimits } from "#backend/auth/limits/rate-limiter";
import { connect } from "#backend/database/connections";
import type { LimitName, Subject } from "#backend/http/limits";
import { startAuth } from "#tests/support/auth-server";
import { silentLog } from "#tests/support/silent-log";

const server = await startAuth({
  limitsAreOn: true,
  accountMailsPerHour: 10_000,
  trustProxy: "loopback",
  stoppedAt: new Date(),
});
beforeEach(() => server.database.owner.query("truncate auth.rate_limits"));
afterAll(() => server.stop());

/**
 * Sends one request as if a local proxy forwarded it from `ip`. Its body is refused and causes little work for the
 * server: requests are limited before the body is read.
 */
function send(path: string, ip: string, method = "POST") {
  const body = method === "POST" ? { email: "", refresh_token: "x".repeat(20) } : undefined;
  return server.call(`/auth/v1${path}`, {
    method,
    ...(body !== undefined && { body }),
    headers: { "x-forwarded-for": ip },
  });
}

async function sendMany(times: number, path: string, ip: string, method?: string) {
  const answers = await Promise.all(Array.from({ length: times }, () => send(path, ip, method)));
  return answers.filter(({ status }) => status !== 429).length;
}

test.each([
  ["POST", "/signup", 10],
  ["POST", "/recover", 10],
  ["POST", "/resend", 10],
  ["POST", "/verify", 10],
  ["PUT", "/user", 10],
  ["POST", "/factors", 10],
  ["POST", "/factors/recovery-codes/regenerate", 10],
  ["POST", "/factors/1/challenge", 4],
  ["POST", "/factors/1/verify", 4],
  ["POST", "/factors/recovery-codes/verify", 4],
  ["POST", "/token", 2],
  ["POST", "/token?grant_type=refresh_token", 2],
])("%s %s accepts 30 concurrent requests, then one request every %i seconds", async (method, path, secondsPerToken) => {
  expect(await sendMany(31, path, "192.0.2.1", method)).toBe(30);

  const refused = await send(path, "192.0.2.1", method);
  const message = `Request rate limit reached. Please try again in ${secondsPerToken} seconds.`;
  expect(await refused.json()).toEqual({ code: "over_request_rate_limit", message });
  expect(refused.headers.get("x-sb-error-code")).toBe("over_request_rate_limit");
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect(refused.headers.get("access-control-expose-headers")).toContain("Retry-After");
  const retryAfter = Number(refused.headers.get("retry-after"));
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(secondsPerToken);

  server.clock.aheadSeconds += retryAfter;
  expect(await sendMany(2, path, "192.0.2.1", method)).toBe(1);
});

test("requests are limited separately for each IPv4 address and each IPv6 /64", async () => {
  expect(await sendMany(31, "/resend", "192.0.2.1")).toBe(30);
  expect(await sendMany(1, "/resend", "192.0.2.2")).toBe(1);
  expect(await sendMany(20, "/resend", "2001:db8::1")).toBe(20);
  expect(await sendMany(11, "/resend", "2001:db8::ffff:2")).toBe(10);
  expect(await sendMany(1, "/resend", "2001:db8:0:1::1")).toBe(1);
});

test.each([
  ["/signup", (index: number) => `192.0.2.${index}`],
  ["/token", (index: number) => `2001:db8:1:${index}::1`],
  ["/factors/1/challenge", (index: number) => `2001:db8:1:${index}::1`],
])("POST %s accepts 120 concurrent requests from one IPv4 /24 or IPv6 /48", async (path, ip) => {
  const accepted: number[] = [];
  for (let index = 0; index < 4; index++) accepted.push(await sendMany(30, path, ip(index)));
  expect([...accepted, await sendMany(1, path, ip(4))]).toEqual([30, 30, 30, 30, 0]);
  // A network that is refused with its wide network adds no row: there are 65,536 of them.
  const { rows } = await server.database.owner.query("select from auth.rate_limits");
  expect(rows).toHaveLength(5);
});

test("a session has 30 changes and refreshes at once from all networks together, then one every 10 seconds", async () => {
  const { email, password, session } = await server.member();
  const other = await server.client().auth.signInWithPassword({ email, password });
  let network = 0;
  const call = (path: string, init: Parameters<typeof server.call>[1]) =>
    server.call(path, { ...init, headers: { "x-forwarded-for": `2001:db8:${++network}::1` } });
  const challenge = ({ access_token: token }: { access_token: string }) =>
    call("/auth/v1/factors/1/challenge", { method: "POST", token });
  const refresh = () => call("/auth/v1/token?grant_type=refresh_token", { body: session });

  for (let times = 0; times < 30; times++) expect((await challenge(session)).status).toBe(404);
  for (const refused of [await challenge(session), await refresh()])
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
  expect((await call("/auth/v1/user", { method: "PUT", body: {}, token: session.access_token })).status).toBe(429);
  expect((await challenge(other.data.session ?? session)).status).toBe(404);

  server.clock.aheadSeconds += 10;
  expect((await refresh()).status).toBe(200);
  expect((await refresh()).status).toBe(429);
});

test("GET /verify and POST /verify share one rate limit", async () => {
  expect(await sendMany(20, "/verify?type=signup&token=x", "192.0.2.1", "GET")).toBe(20);
  expect(await sendMany(20, "/verify", "192.0.2.1")).toBe(10);
});

test("sign-ins with a password do not count toward the rate limit of token refreshes", async () => {
  const { client } = await server.member();
  expect(await sendMany(40, "/token?grant_type=password", "127.0.0.1")).toBeLessThan(40);
  const { error } = await client.auth.refreshSession();
  expect(error).toBeNull();
});

test("GET /user and CORS preflights have no rate limit", async () => {
  const { session } = await server.member();
  for (let round = 0; round < 40; round++) {
    expect((await server.call("/auth/v1/user", { token: session.access_token })).status).toBe(200);
    expect((await server.call("/auth/v1/token", { method: "OPTIONS" })).status).toBe(204);
  }
});

test("two servers on one database share a rate limit, even for concurrent requests", async () => {
  const servers = [server.database, connect(server.database.connection, silentLog)] as const;
  const take = (index: number) => takeFrom(servers[index % 2 ? 1 : 0].owner, ["passwords"], { email: "a", ip: "::1" });
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => take(index)));
  expect(answers.filter((excess) => excess === undefined)).toHaveLength(10);
  expect(await take(1)).toEqual({ name: "passwords", seconds: 20 });
  await servers[1].close();
});

test("a request that two limits count takes from both or from none, also beside other requests", async () => {
  const { owner } = server.database;
  const inAll = "second factors from all networks";
  const take = (ip: string) => takeFrom(owner, [inAll, "second factors"], { user: "a", ip });
  const answers = await Promise.all(Array.from({ length: 30 }, () => take("192.0.2.1")));
  expect(answers.filter((excess) => excess === undefined)).toHaveLength(10);
  expect(new Set(answers.map((excess) => excess?.name))).toEqual(new Set([undefined, "second factors"]));
  const others = await Promise.all(Array.from({ length: 30 }, (_, index) => take(`198.51.${index}.1`)));
  expect(others.filter((excess) => excess === undefined)).toHaveLength(10);
});

test("new buckets delete expired rows of auth.rate_limits and keeps unexpired rows", async () => {
  const { owner } = server.database;
  const takeMany = async (name: "token requests" | "recovery codes", count: number, endpoint = "") => {
    for (let index = 0; index < count; index++)
      await takeFrom(owner, [name], { endpoint, user: "a", ip: `192.0.${index}.1` });
  };
  await takeMany("token requests", 30, "early");
  for (let times = 0; times < 10; times++) await takeMany("recovery codes", 1);
  server.clock.aheadSeconds += 100;
  await takeMany("token requests", 60, "late");

  const { rows } = await owner.query("select count(*)::int as stored from auth.rate_limits");
  expect(rows[0].stored).toBe(61);
  const excess = await takeFrom(owner, ["recovery codes"], { user: "a", ip: "192.0.0.1" });
  expect(excess).toEqual({ name: "recovery codes", seconds: 500 });
});

function takeFrom<N extends LimitName>(owner: Pool, names: readonly N[], subject: Subject<N>) {
  return takeLimits({ limitsAreOn: true, accountMailsPerHour: 100, now: server.now }, owner, names, subject);
}

test("auth.rate_limits contains no IP address as plain text", async () => {
  await send("/resend", "192.0.2.77");
  const { rows } = await server.database.owner.query("select b::text as row from auth.rate_limits b");
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain("192.0.2.77");
});

test("with AUTH_LIMITS=off no request is limited or counted", async () => {
  const free = await startAuth();
  const answers = await Promise.all(Array.from({ length: 60 }, () => free.call("/auth/v1/verify", { body: {} })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  expect((await free.database.owner.query("select from auth.rate_limits")).rowCount).toBe(0);
  await free.stop();
});
