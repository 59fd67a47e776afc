import { afterAll, expect, test } from "vitest";
import { type AuthServer, startAuth } from "#tests/support/auth-server";

const server = await startAuth({ trustProxy: "loopback" });
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

const endSession = (token: string, id: unknown) => server.call(`/auth/v1/sessions/${id}`, { method: "DELETE", token });

/** Creates a user who has exactly two sessions. */
async function signInTwice() {
  const person = await server.member();
  await person.client.auth.signOut();
  const onLaptop = await signIn(person, firefox, "192.0.2.1");
  server.clock.aheadSeconds += 60;
  const onPhone = await signIn(person, iphone, "192.0.2.2");
  return { person, onLaptop, onPhone };
}

test("GET /sessions lists only the user's own sessions, with the current session first", async () => {
  await signInTwice();
  const { onPhone } = await signInTwice();
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const time = expect.stringMatching(/^20.*Z$/);
  expect(await sessionsOf(onPhone.access_token)).toEqual([
    { id, created_at: time, last_used_at: time, device: "Safari on an iPhone", address: "192.0.2.2", current: true },
    { id, created_at: time, last_used_at: time, device: "Firefox on Windows", address: "192.0.2.1", current: false },
  ]);
});

test("GET /user updates a session's last-used time at most every 5 minutes; a refresh always does", async () => {
  const { onPhone } = await signInTwice();
  const currentSession = () => sessionsOf(onPhone.access_token).then(([session]) => session);
  const openPage = (ip: string) =>
    server.call("/auth/v1/user", { token: onPhone.access_token, headers: { "x-forwarded-for": ip } });

  const first = await currentSession();
  server.clock.aheadSeconds += 60;
  await openPage("192.0.2.2");
  expect(await currentSession()).toEqual(first);

  server.clock.aheadSeconds += 5 * 60;
  await openPage("192.0.2.2");
  const second = await currentSession();
  const secondsBetween = (a?: Record<string, unknown>, b?: Record<string, unknown>) =>
    (Date.parse(String(b?.last_used_at)) - Date.parse(String(a?.last_used_at))) / 1000;
  expect(secondsBetween(first, second)).toBeGreaterThanOrEqual(6 * 60);

  await openPage("192.0.2.3");
  expect(await currentSession()).toMatchObject({ address: "192.0.2.3" });

  server.clock.aheadSeconds += 60;
  await server.call("/auth/v1/token?grant_type=refresh_token", { body: { refresh_token: onPhone.refresh_token } });
  expect(secondsBetween(second, await currentSession())).toBeGreaterThanOrEqual(60);
});

test("DELETE /sessions/:id ends the session immediately; the user's other session stays", async () => {
  const { onLaptop, onPhone } = await signInTwice();
  const [, other] = await sessionsOf(onPhone.access_token);
  expect((await endSession(onPhone.access_token, other?.id)).status).toBe(204);

  expect((await server.call("/auth/v1/user", { token: onLaptop.access_token })).status).toBe(403);
  expect((await server.call("/rest/v1/contacts?select=id", { token: onLaptop.access_token })).status).toBe(401);
  const refreshed = await server.call("/auth/v1/token?grant_type=refresh_token", {
    body: { refresh_token: onLaptop.refresh_token },
  });
  expect(refreshed.status).toBe(400);
  expect(await sessionsOf(onPhone.access_token)).toHaveLength(1);
});

test("DELETE /sessions/:id gets 404 for another user's session and for an unknown id", async () => {
  const [one, another] = [await signInTwice(), await signInTwice()];
  const [theirs] = await sessionsOf(another.onPhone.access_token);
  for (const id of [theirs?.id, crypto.randomUUID(), "1", "%00", "x'--"]) {
    const answer = await endSession(one.onPhone.access_token, id);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { code: "not_found", message: "You have no such session" },
    ]);
  }
  expect(await sessionsOf(another.onPhone.access_token)).toHaveLength(2);
});
