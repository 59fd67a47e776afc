import type { Pool } from "pg";
import { beforeEach, expect, test } from "vitest";
import { connect } from "#backend/database/connections";
import type { LimitName, Subject } from "#backend/limits/limits";
import { fillBuckets, takeLimits } from "#backend/limits/rate-limiter";
import { startAuth } from "#tests/support/auth-server";
import { silentLog } from "#tests/support/silent-log";

const server = await startAuth({ limitsAreOn: true, trustProxy: "loopback", stoppedAt: new Date() });
const { owner } = server.database;
beforeEach(async () => {
  await owner.query("truncate auth.rate_limits");
  // All buckets of requests are full again.
  server.clock.aheadSeconds += 10 * 60;
});

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

async function sendMany(times: number, path: string, ip: (index: number) => string, method?: string) {
  const answers: number[] = [];
  // A network's share holds 54 requests at once.
  for (let sent = 0; sent < times; sent += 30) {
    const some = Array.from({ length: Math.min(30, times - sent) }, (_, index) => send(path, ip(sent + index), method));
    answers.push(...(await Promise.all(some)).map(({ status }) => status));
  }
  return answers.filter((status) => status !== 429).length;
}

test.each([
  ["POST", "/signup"],
  ["GET", "/verify?type=signup&token=x"],
  ["PUT", "/user"],
  ["POST", "/factors/1/verify"],
  ["POST", "/token"],
  ["POST", "/token?grant_type=refresh_token"],
])("%s %s accepts 60 requests of a network at once, then one in two", async (method, path) => {
  expect(await sendMany(61, path, (index) => `192.0.2.${index}`, method)).toBe(60);

  const refused = await send(path, "192.0.2.1", method);
  const message = "Request rate limit reached. Please try again in 2 seconds.";
  expect(await refused.json()).toEqual({ code: "over_request_rate_limit", message });
  expect(refused.headers.get("x-sb-error-code")).toBe("over_request_rate_limit");
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect(refused.headers.get("access-control-expose-headers")).toContain("Retry-After");
  expect(refused.headers.get("retry-after")).toBe("2");
  expect((await send(path, "198.51.100.1", method)).status).not.toBe(429);

  server.clock.aheadSeconds += 2;
  expect(await sendMany(2, path, () => "192.0.2.1", method)).toBe(1);
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

test("sign-ins with a password do not count toward the limit of refreshes, and GET /user has none", async () => {
  const { client, session } = await server.member();
  expect(await sendMany(70, "/token?grant_type=password", () => "127.0.0.1")).toBeLessThan(70);
  expect((await client.auth.refreshSession()).error).toBeNull();
  for (let round = 0; round < 70; round++)
    expect((await server.call("/auth/v1/user", { token: session.access_token })).status).toBe(200);
});

test("a parameter that means nothing to an endpoint gives a network no second limit", async () => {
  const other = await sendMany(60, "/signup", () => "192.0.2.1");
  expect([other, await sendMany(2, "/signup?grant_type=refresh_token", () => "192.0.2.1")]).toEqual([60, 0]);
});

test("with AUTH_LIMITS=off no request is limited or counted", async () => {
  const free = await startAuth();
  const answers = await Promise.all(Array.from({ length: 70 }, () => free.call("/auth/v1/verify", { body: {} })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  expect((await free.database.owner.query("select from auth.rate_limits")).rowCount).toBe(0);
});

test("two servers on one database share a limit of attempts, even for concurrent requests", async () => {
  const servers = [1, 2].map(() => connect(server.database.connection, silentLog));
  const take = (index: number) =>
    takeFrom(servers[index % 2]?.owner ?? owner, ["passwords"], { email: "a", ip: "::1" });
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => take(index)));
  expect(answers.filter((excess) => excess === undefined)).toHaveLength(10);
  expect(answers.find((excess) => excess)).toMatchObject({ name: "passwords" });
  await fillBuckets(owner, "passwords", { email: "a", ip: "::1" });
  expect(await take(1)).toBeUndefined();
  await Promise.all(servers.map((each) => each.close()));
});

test("an attempt that two limits count takes from both or from none, also beside others", async () => {
  const inAll = "second factors from all networks";
  const take = (ip: string) => takeFrom(owner, ["second factors", inAll], { user: "a", ip });
  const answers = await Promise.all(Array.from({ length: 30 }, () => take("192.0.2.1")));
  expect(answers.filter((excess) => excess === undefined)).toHaveLength(10);
  expect(new Set(answers.map((excess) => excess?.name))).toEqual(new Set([undefined, "second factors"]));
  const others = await Promise.all(Array.from({ length: 30 }, (_, index) => take(`198.51.${index}.1`)));
  expect(others.filter((excess) => excess === undefined)).toHaveLength(10);

  await fillBuckets(owner, inAll, { user: "a" });
  const refused = others.findIndex((excess) => excess?.name === inAll);
  for (let attempt = 0; attempt < 10; attempt++) expect(await take(`198.51.${refused}.1`)).toBeUndefined();
});

function takeFrom<N extends LimitName>(db: Pool, names: readonly N[], subject: Subject<N>) {
  return takeLimits({ limitsAreOn: true, accountMailsPerHour: 100 }, db, names, subject);
}
