import { describe, expect, test } from "vitest";
import { startAuth } from "#tests/support/auth-server";

const server = await startAuth({ sessionIdleDays: 30, sessionMaxDays: 90 });

const hour = 60 * 60;
const day = 24 * hour;

function later(seconds: number) {
  server.clock.aheadSeconds += seconds;
}

/** Refreshes a session as Supabase's client does: with the API key as bearer token. */
async function refresh(token: string) {
  const answer = await server.call("/auth/v1/token?grant_type=refresh_token", { body: { refresh_token: token } });
  return { status: answer.status, ...(await answer.json()) };
}

async function tokensOf(userId: string): Promise<number> {
  const { rows } = await server.database.owner.query(
    "select count(*)::int as count from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id where user_id = $1",
    [userId],
  );
  return rows[0].count;
}

const expired = { status: 400, code: "session_expired", message: "Invalid Refresh Token: Session Expired" };
const used = { status: 400, code: "refresh_token_already_used", message: "Invalid Refresh Token: Already Used" };
const unknown = { status: 400, code: "refresh_token_not_found", message: expect.any(String) };

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
