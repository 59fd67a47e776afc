import { describe, expect, test } from "vitest";
import { hashOf } from "#backend/auth/tokens/random-tokens";
import { startAuth } from "#tests/support/auth-server";

const server = await startAuth({ sessionIdleDays: 30, sessionMaxDays: 90 });

const hour = 60 * 60;
const day = 24 * hour;

/** Refreshes a session as Supabase's client does: with the API key as bearer token. */
async function refresh(token: string) {
  const answer = await server.call("/auth/v1/token?grant_type=refresh_token", { body: { refresh_token: token } });
  return { status: answer.status, ...(await answer.json()) };
}

const used = {
  status: 400,
  code: "refresh_token_already_used",
  message: "Invalid Refresh Token: Already Used",
};
const unknown = {
  status: 400,
  code: "refresh_token_not_found",
  message: "Invalid Refresh Token: Refresh Token Not Found",
};

function later(seconds: number) {
  server.clock.aheadSeconds += seconds;
}

const expired = { status: 400, code: "session_expired", message: "Invalid Refresh Token: Session Expired" };

async function signIn() {
  const { session } = await server.member();
  return session;
}

describe("in the rotation of refresh tokens", () => {
  test("an unused token is exchanged for a new token in the same session", async () => {
    const first = await signIn();
    later(5);
    const second = await refresh(first.refresh_token);
    expect(second).toMatchObject({ status: 200, token_type: "bearer", expires_in: 3600, user: { id: first.user.id } });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second).not.toHaveProperty("weak_password");

    const [before, after] = [claimsOf(first.access_token), claimsOf(second.access_token)];
    expect(after).toMatchObject({ session_id: before.session_id, amr: before.amr, aal: "aal1" });
    expect(after.iat - before.iat).toBeGreaterThanOrEqual(5);
  });

  test("a token reused within 10 s is exchanged for the newest token; a copy gets no chain of its own", async () => {
    const { refresh_token: first, access_token: access } = await signIn();
    const { refresh_token: second } = await refresh(first);
    const { refresh_token: third } = await refresh(second);
    later(9);
    expect(await refresh(first)).toMatchObject({ status: 200, refresh_token: third });
    const active = "select token_hash from auth.refresh_tokens where session_id = $1 and revoked_at is null";
    const { rows } = await server.database.owner.query(active, [claimsOf(access).session_id]);
    expect(rows).toEqual([{ token_hash: hashOf(third) }]);

    // The owner and the holder of the copy now share one chain, so the copy ends the session once it falls behind.
    const { refresh_token: fourth } = await refresh(third);
    await refresh(fourth);
    later(11);
    expect(await refresh(third)).toEqual(used);
    expect(await refresh(fourth)).toEqual(unknown);
  });

  test("after 10 s, the reuse of a token older than the newest two tokens ends the session", async () => {
    const { refresh_token: first, access_token: access } = await signIn();
    const { refresh_token: second } = await refresh(first);
    const { refresh_token: third } = await refresh(second);
    later(11);
    expect(await refresh(first)).toEqual(used);

    // The server cannot know whether a thief or the owner has the newest token, so it refuses that token as well. Both
    // APIs refuse the access token.
    for (const token of [third, second, first]) expect(await refresh(token)).toEqual(unknown);
    expect((await server.call("/auth/v1/user", { token: access })).status).toBe(403);
    expect((await server.call("/rest/v1/contacts?select=id", { token: access })).status).toBe(401);
  });

  test("the reuse of an old token ends the token's session; other sessions of the user stay", async () => {
    const { email, password, session } = await server.member();
    const other = await server.client().auth.signInWithPassword({ email, password });
    const second = await refresh(session.refresh_token);
    await refresh(second.refresh_token);
    later(11);
    expect(await refresh(session.refresh_token)).toEqual(used);
    expect(await refresh(other.data.session?.refresh_token ?? "")).toMatchObject({ status: 200 });
  });
});

test("thirty concurrent refreshes with one token all get the same new token", async () => {
  const { refresh_token: first } = await signIn();
  const answers = await atOnce(30, () => refresh(first));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const tokens = new Set(answers.map(({ refresh_token }) => refresh_token));
  expect(tokens.size).toBe(1);
  later(11);
  for (const token of tokens) expect(await refresh(token)).toMatchObject({ status: 200 });
});

test("after a sign-out the refresh token is refused as unknown", async () => {
  const { client, session } = await server.member();
  await client.auth.signOut();
  expect(await refresh(session.refresh_token)).toEqual(unknown);
});

test("a banned user cannot refresh a session", async () => {
  const { session } = await server.member();
  await server.database.owner.query("update auth.users set banned_until = 'infinity' where id = $1", [session.user.id]);
  expect(await refresh(session.refresh_token)).toMatchObject({ status: 400, code: "user_banned" });
});

describe("a session ends", () => {
  test("after 30 days without use, and the client gets the error session_expired", async () => {
    const { client } = await server.member();
    later(29 * day);
    expect((await client.auth.refreshSession()).error).toBeNull();
    later(30 * day + 1);
    expect((await client.auth.refreshSession()).error).toMatchObject({ status: 400, code: "session_expired" });
  });

  test("90 days after the sign-in, on both APIs, even with an unexpired access token", async () => {
    const { session, user, email, password } = await server.member();
    let token = session.refresh_token;
    for (const days of [29, 29, 29]) {
      later(days * day);
      token = (await refresh(token)).refresh_token;
    }
    later(3 * day - 60);
    const last = await refresh(token);
    expect(last.status).toBe(200);
    await server.signIn(email, password);
    later(120);

    const asUser = await server.call("/auth/v1/user", { token: last.access_token });
    expect([asUser.status, await asUser.json()]).toEqual([403, expect.objectContaining({ code: "session_not_found" })]);
    const asData = await server.call("/rest/v1/contacts?select=id", { token: last.access_token });
    expect([asData.status, await asData.json()]).toEqual([401, expect.objectContaining({ code: "PGRST303" })]);

    expect(await refresh(last.refresh_token)).toEqual(expired);
    expect(await refresh(last.refresh_token)).toEqual(unknown);
    expect(await tokensOf(user.id)).toBe(1);
  });
});

describe("a session that is refreshed every hour", () => {
  test("goes on for weeks with its second newest token, and ends with an older one that was removed", async () => {
    const { session } = await server.member();
    const tokens = [session.refresh_token];
    for (let hours = 0; hours < 72; hours++) {
      later(hour);
      tokens.push((await refresh(tokens.at(-1) ?? "")).refresh_token);
    }
    expect(new Set(tokens).size).toBe(73);
    // As the daily removal does.
    await server.database.owner.query("delete from auth.refresh_tokens where token_hash = sha256($1)", [tokens[0]]);

    later(25 * day);
    expect(await refresh(tokens.at(-2) ?? "")).toMatchObject({ status: 200, refresh_token: tokens.at(-1) });
    later(11);
    expect(await refresh(tokens[0] ?? "")).toEqual(used);
    expect(await refresh(tokens.at(-1) ?? "")).toEqual(unknown);
  });

  test("is not ended by a malformed token that starts like a valid refresh token", async () => {
    const { session } = await server.member();
    const token = session.refresh_token;
    for (const broken of [token.slice(0, 22), `${token}A`, `${token.slice(0, -1)}!`]) {
      expect(await refresh(broken)).toEqual(unknown);
    }
    expect(await refresh(token)).toMatchObject({ status: 200 });
  });
});

async function tokensOf(userId: string): Promise<number> {
  const { rows } = await server.database.owner.query(
    "select count(*)::int as count from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id where user_id = $1",
    [userId],
  );
  return rows[0].count;
}

/**
 * Starts `work` `count` times at once. Meanwhile the server waits up to a minute for a database connection: on a slow
 * machine so many requests need more than the usual five seconds.
 */
async function atOnce<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const { options } = server.database.owner;
  const { connectionTimeoutMillis } = options;
  options.connectionTimeoutMillis = 60_000;
  try {
    return await Promise.all(Array.from({ length: count }, work));
  } finally {
    options.connectionTimeoutMillis = connectionTimeoutMillis;
  }
}

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}
