import { afterAll, expect, test } from "vitest";
import { auditFilters } from "#backend/auth/endpoints/audit";
import { startAuth } from "#tests/support/auth-server";

const server = await startAuth({ trustProxy: "loopback" });
afterAll(() => server.stop());

interface Entry {
  id: string;
  created_at: string;
  ip_address: string;
  payload: {
    actor_id: string;
    actor_username: string;
    action: string;
    log_type: string;
    traits?: object;
    repeats?: { since: string };
  };
}

async function admin() {
  const person = await server.member();
  await server.database.owner.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [
    person.user.id,
  ]);
  return person;
}

async function log(token: string) {
  const answer = await server.call("/auth/v1/audit", { token });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Entry[];
}

test("the audit list shows sign-ins, failed sign-ins and sign-outs with IP address, newest first", async () => {
  const { session } = await admin();
  const { email, user } = await server.member();
  const headers = { "x-forwarded-for": "192.0.2.7" };
  const grant = "/auth/v1/token?grant_type=password";
  await server.call(grant, { body: { email, password: "hunter2" }, headers });
  await server.call(grant, { body: { email: "hunter3", password: "x" }, headers });
  const answer = await server.call(grant, { body: { email, password: "correct horse" }, headers });
  const { access_token: token } = await answer.json();
  const [, other] = await (await server.call("/auth/v1/sessions", { token })).json();
  await server.call(`/auth/v1/sessions/${other.id}`, { method: "DELETE", token, headers });
  await server.call("/auth/v1/logout?scope=others", { method: "POST", token, headers });

  const entries = await log(session.access_token);
  const noUser = "00000000-0000-0000-0000-000000000000";
  expect(
    entries.slice(0, 5).map(({ payload: { actor_id, action, traits } }) => ({ actor_id, action, traits })),
  ).toEqual([
    { actor_id: user.id, action: "logout", traits: { scope: "others" } },
    { actor_id: user.id, action: "logout", traits: { scope: "session", session_id: other.id } },
    { actor_id: user.id, action: "login", traits: { provider: "email" } },
    { actor_id: noUser, action: "login_failed", traits: { reason: "invalid_credentials" } },
    { actor_id: user.id, action: "login_failed", traits: { reason: "invalid_credentials" } },
  ]);
  expect(entries.slice(0, 5).map(({ ip_address }) => ip_address)).toEqual(Array(5).fill("192.0.2.7"));
  expect(JSON.stringify(entries)).not.toMatch(/hunter|horse/);
});

test("a token refresh is not logged, but the reuse of an old refresh token is", async () => {
  const { session } = await admin();
  const { client, session: first } = await server.member();
  await client.auth.refreshSession();
  await client.auth.refreshSession();
  const lines = "select from auth.audit_log_entries where payload ->> 'log_type' = 'token'";
  expect((await server.database.owner.query(lines)).rowCount).toBe(0);

  server.clock.aheadSeconds += 60;
  await server.call("/auth/v1/token?grant_type=refresh_token", { body: { refresh_token: first.refresh_token } });
  expect((await log(session.access_token)).slice(0, 1)).toMatchObject([
    { payload: { action: "token_revoked", traits: { reason: "refresh_token_already_used" } } },
  ]);
});

test("a flood of failed sign-ins takes one line for each account and hides no other entry", async () => {
  const { session } = await admin();
  const { owner } = server.database;
  const attack = (username: string, count: number) =>
    owner.query(
      `insert into auth.audit_log_entries (payload, created_at, ip_address)
       select jsonb_build_object('actor_id', md5($1)::uuid, 'actor_username', $1::text, 'action', 'login_failed',
                'log_type', 'account', 'traits', '{"reason": "invalid_credentials"}'::jsonb),
              $3::timestamptz + make_interval(secs => n), '203.0.113.' || n % 3 from generate_series(1, $2::int) n`,
      [username, count, new Date(server.now())],
    );
  await owner.query("truncate auth.audit_log_entries");
  await owner.query(
    `insert into auth.audit_log_entries (payload, created_at)
     select jsonb_build_object('action', 'role_granted', 'log_type', 'account', 'traits', jsonb_build_object('n', n)),
            $1::timestamptz + make_interval(secs => n) from generate_series(1, 60) n`,
    [new Date(server.now())],
  );
  await attack("", 500);
  await attack("ida@example.com", 7);
  for (let n = 0; n < 20; n++) await attack(`${n}@example.com`, 1);

  const entries = await log(session.access_token);
  const granted = entries.filter(({ payload }) => payload.action === "role_granted");
  expect(granted).toHaveLength(50);
  expect(granted[0]?.payload.traits).toEqual({ n: 60 });
  expect(entries).toHaveLength(60);
  expect(entries[0]).toMatchObject({
    ip_address: "",
    payload: { actor_username: "", action: "login_failed", repeats: { times: 500, addresses: 3 } },
  });
  const times = entries.map(({ created_at }) => Date.parse(created_at));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(entries.find(({ payload }) => payload.actor_username === "ida@example.com")?.payload).toMatchObject({
    repeats: { times: 7, addresses: 3, since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
  });
});

test("failed logins of a network take one row an hour, for addresses without an account and for each account", async () => {
  const { session } = await admin();
  const { email, user } = await server.member();
  const { owner } = server.database;
  await owner.query("truncate auth.audit_log_entries");
  // A whole hour, so that it does not end meanwhile.
  server.clock.aheadSeconds += 60 * 60 - ((server.now().getTime() / 1000) % (60 * 60));
  const begun = server.now().getTime();
  const fail = (address: string, ip: string) =>
    server.call("/auth/v1/token?grant_type=password", {
      body: { email: address, password: "wrong" },
      headers: { "x-forwarded-for": ip },
    });
  const code = (address: string) =>
    server.call("/auth/v1/verify", { body: { email: address, token: "000000", type: "recovery" } });
  for (let n = 0; n < 20; n++) {
    // One customer of a provider has all of these networks.
    await fail(`${n}@nowhere.example`, `2001:db8:7:${n}::1`);
    await fail(email, `2001:db8:7:${n}::1`);
    await code(`${n}@nowhere.example`);
  }
  const rows = async () => (await owner.query("select from auth.audit_log_entries")).rowCount;
  expect(await rows()).toBe(3);
  const entries = await log(session.access_token);
  const unknown = entries.find(
    ({ payload: { actor_username, action } }) => !actor_username && action === "login_failed",
  );
  expect(unknown).toMatchObject({
    ip_address: "2001:db8:7:19::1",
    payload: { traits: { reason: "invalid_credentials" }, repeats: { times: 20, addresses: 1 } },
  });
  const since = Date.parse(unknown?.payload.repeats?.since ?? "");
  expect(since).toBeGreaterThanOrEqual(begun);
  expect(since).toBeLessThan(Date.parse(unknown?.created_at ?? ""));
  expect(entries.find(({ payload }) => payload.actor_id === user.id)?.payload).toMatchObject({
    repeats: { times: 20 },
  });

  // Addresses of one network that need not be one customer's.
  for (let n = 1; n <= 6; n++) await fail(email, `203.0.113.${n}`);
  expect((await log(session.access_token)).find(({ payload }) => payload.actor_id === user.id)).toMatchObject({
    ip_address: "",
    payload: { repeats: { times: 26, addresses: 7 } },
  });
  await owner.query("delete from auth.audit_log_entries where ip_address like '203.0.113.%'");

  server.clock.aheadSeconds += 60 * 60;
  await fail("20@nowhere.example", "2001:db8:7::1");
  expect(await rows()).toBe(4);
  const later = await admin();
  const counted = (await log(later.session.access_token)).find(({ ip_address: ip }) => ip === "");
  expect(counted?.payload).toMatchObject({ action: "login_failed", repeats: { times: 21, addresses: 2 } });
});

test("the audit list has at most 50 entries", async () => {
  const { session } = await admin();
  await server.database.owner.query(`truncate auth.audit_log_entries; insert into auth.audit_log_entries (payload, created_at)
    select '{"action": "login", "log_type": "account"}', now() from generate_series(1, 60)`);
  expect(await log(session.access_token)).toHaveLength(50);
});

test("the database indexes for the audit list have the same conditions as the list's query", async () => {
  const db = await server.database.owner.connect();
  await db.query("begin");
  for (const [name, filter] of Object.entries(auditFilters)) {
    await db.query(`create index from_filter on auth.audit_log_entries (created_at) where ${filter}`);
    const { rows } = await db.query(
      `select count(*)::int as indexes, count(distinct pg_get_expr(indpred, indrelid))::int as conditions
       from pg_index where indexrelid in ('auth.from_filter'::regclass, 'auth.audit_log_entries_${name}_idx'::regclass)`,
    );
    expect([name, rows]).toEqual([name, [{ indexes: 2, conditions: 1 }]]);
    await db.query("drop index auth.from_filter");
  }
  await db.query("rollback");
  db.release();
});
