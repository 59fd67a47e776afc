import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthServer, startAuth } from "#tests/support/auth-server";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuth({ trustProxy: "loopback" });
});
afterAll(() => server.stop());

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile Safari/604.1";

type Person = Awaited<ReturnType<AuthServer["member"]>>;

async function signIn({ email, password }: Person, userAgent: string, ip: string) {
  const answer = await server.call("/auth/v1/token?grant_type=password", {
    body: { email, password },
    headers: { "user-agent": userAgent, "x-forwarded-for": ip },
  });
  return (await answer.json()) as { access_token: string; refresh_token: string };
}

async function sessionsOf(token: string) {
  const answer = await server.call("/auth/v1/sessions", { token });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>[];
}

const end = (token: string, id: unknown) => server.call(`/auth/v1/sessions/${id}`, { method: "DELETE", token });

/** A person who is signed in twice and nowhere else. */
async function twice() {
  const person = await server.member();
  await person.client.auth.signOut();
  const atWork = await signIn(person, firefox, "192.0.2.1");
  server.clock.aheadSeconds += 60;
  const onTheWay = await signIn(person, iphone, "192.0.2.2");
  return { person, atWork, onTheWay };
}

test("a person sees where they are signed in, the present session first, and nobody else's", async () => {
  await twice();
  const { onTheWay } = await twice();
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const time = expect.stringMatching(/^20.*Z$/);
  expect(await sessionsOf(onTheWay.access_token)).toEqual([
    { id, created_at: time, last_used_at: time, device: "Safari on an iPhone", address: "192.0.2.2", current: true },
    { id, created_at: time, last_used_at: time, device: "Firefox on Windows", address: "192.0.2.1", current: false },
  ]);
});

test("the last use is that of the last page or refresh, to within five minutes, and so is the address", async () => {
  const { onTheWay } = await twice();
  const use = () => sessionsOf(onTheWay.access_token).then(([session]) => session);
  const open = (ip: string) =>
    server.call("/auth/v1/user", { token: onTheWay.access_token, headers: { "x-forwarded-for": ip } });

  const first = await use();
  server.clock.aheadSeconds += 60;
  await open("192.0.2.2");
  expect(await use()).toEqual(first);

  server.clock.aheadSeconds += 5 * 60;
  await open("192.0.2.2");
  const second = await use();
  const later = (a?: Record<string, unknown>, b?: Record<string, unknown>) =>
    (Date.parse(String(b?.last_used_at)) - Date.parse(String(a?.last_used_at))) / 1000;
  expect(later(first, second)).toBeGreaterThanOrEqual(6 * 60);

  await open("192.0.2.3");
  expect(await use()).toMatchObject({ address: "192.0.2.3" });

  server.clock.aheadSeconds += 60;
  await server.call("/auth/v1/token?grant_type=refresh_token", { body: { refresh_token: onTheWay.refresh_token } });
  expect(later(second, await use())).toBeGreaterThanOrEqual(60);
});

test("one session ends at once and for good, the others stay", async () => {
  const { atWork, onTheWay } = await twice();
  const [, other] = await sessionsOf(onTheWay.access_token);
  expect((await end(onTheWay.access_token, other?.id)).status).toBe(204);

  expect((await server.call("/auth/v1/user", { token: atWork.access_token })).status).toBe(403);
  expect((await server.call("/rest/v1/contacts?select=id", { token: atWork.access_token })).status).toBe(401);
  const refreshed = await server.call("/auth/v1/token?grant_type=refresh_token", {
    body: { refresh_token: atWork.refresh_token },
  });
  expect(refreshed.status).toBe(400);
  expect(await sessionsOf(onTheWay.access_token)).toHaveLength(1);
});

test("nobody ends the session of another, or one that is not there", async () => {
  const [one, another] = [await twice(), await twice()];
  const [theirs] = await sessionsOf(another.onTheWay.access_token);
  for (const id of [theirs?.id, crypto.randomUUID(), "1", "%00", "x'--"]) {
    const answer = await end(one.onTheWay.access_token, id);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { code: "not_found", message: "You have no such session" },
    ]);
  }
  expect(await sessionsOf(another.onTheWay.access_token)).toHaveLength(2);
});

test("without a session there is nothing to see", async () => {
  expect((await server.call("/auth/v1/sessions", { token: "" })).status).toBe(401);
  expect((await server.call("/auth/v1/sessions")).status).toBe(403);
  expect((await end("", crypto.randomUUID())).status).toBe(401);
});
