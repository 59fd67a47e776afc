import { Client } from "pg";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { hashOf } from "#backend/auth/tokens/random-tokens";
import { startAuth } from "#tests/support/auth-server";
import { textOfStatement } from "#tests/support/statement-text";

const server = await startAuth({ limitsAreOn: true, trustProxy: "loopback", stoppedAt: new Date() });
beforeEach(() => server.database.owner.query("truncate auth.rate_limits, auth.sign_in_failures"));
afterAll(() => server.stop());

const password = "correct horse";
const home = "198.51.100.1";

/** Signs in from the IP address `ip`. Resolves with "in", "wrong" or, after a 429, the seconds in `Retry-After`. */
async function signIn(email: string, ip: string, secret = "wrong horse") {
  const answer = await server.call("/auth/v1/token?grant_type=password", {
    body: { email, password: secret },
    headers: { "x-forwarded-for": ip },
  });
  if (answer.status === 429) return Number(answer.headers.get("retry-after"));
  return answer.status === 200 ? "in" : "wrong";
}

/** Creates an account and signs in once from the network `home`. */
async function owner() {
  const { email } = await server.member();
  expect(await signIn(email, home, password)).toBe("in");
  return email;
}

/** Guesses a password once from each of `networks` IPv4 addresses. Each address counts as a separate network. */
async function attack(email: string, networks: number, block = "203.0.113") {
  const answers: Awaited<ReturnType<typeof signIn>>[] = [];
  for (let network = 0; network < networks; network++) answers.push(await signIn(email, `${block}.${network}`));
  return answers;
}

/** Leaves the account as such an attack of 21 networks does. */
async function attacked() {
  const email = await owner();
  await server.database.owner.query(
    `insert into auth.sign_in_failures values ($1, array_fill($2::timestamptz, array[21]), $2)
     on conflict (account_hash) do update set failed_at = excluded.failed_at`,
    [hashOf(email), server.now()],
  );
  return email;
}

const guess = async (email: string, ip: string, times: number) => {
  const answers: Awaited<ReturnType<typeof signIn>>[] = [];
  for (let round = 0; round < times; round++) answers.push(await signIn(email, ip));
  return answers;
};

test("a correct password after 9 wrong passwords signs in and restores all 10 attempts", async () => {
  const email = await owner();
  expect(await guess(email, "192.0.2.1", 9)).toEqual(Array(9).fill("wrong"));
  expect(await signIn(email, "192.0.2.1", password)).toBe("in");
  expect(await guess(email, "192.0.2.1", 10)).toEqual(Array(10).fill("wrong"));
});

test("after 10 failed sign-ins from one network, even the correct password is refused for 20 s", async () => {
  const email = await owner();
  await guess(email, "192.0.2.1", 10);
  expect(await signIn(email, "192.0.2.1", password)).toBe(20);
  expect(await signIn(email, "192.0.2.2", password)).toBe("in");
  server.clock.aheadSeconds += 20;
  expect(await signIn(email, "192.0.2.1", password)).toBe("in");
});

test("of 25 concurrent guesses from one network, only ten reach the password check", async () => {
  const email = await owner();
  const answers = await Promise.all(Array.from({ length: 25 }, () => signIn(email, "192.0.2.1")));
  expect(answers.filter((answer) => answer === "wrong")).toHaveLength(10);
});

test("while many networks guess a password, new networks get 2 attempts; known networks get 10", async () => {
  const email = await owner();
  expect(new Set(await attack(email, 21))).toEqual(new Set(["wrong"]));

  // After these 21 failures every unknown network gets two attempts. After those, it gets one more every ten minutes.
  expect(await guess(email, "192.0.2.1", 4)).toEqual(["wrong", "wrong", 600, 600]);
  server.clock.aheadSeconds += 600;
  expect(await guess(email, "192.0.2.1", 2)).toEqual(["wrong", 600]);

  expect(await signIn(email, "192.0.2.50", "mistyped")).toBe("wrong");
  expect(await signIn(email, "192.0.2.50", password)).toBe("in");
  expect(await guess(email, home, 9)).toEqual(Array(9).fill("wrong"));
  expect(await signIn(email, home, password)).toBe("in");
});

test("a network that signs in while other networks guess the password gets 10 attempts", async () => {
  const email = await attacked();
  expect(await signIn(email, "192.0.2.60", password)).toBe("in");
  expect(await guess(email, "192.0.2.60", 10)).toEqual(Array(10).fill("wrong"));
});

test("an hour after many networks guessed a password, a new network gets 10 attempts again", async () => {
  const email = await attacked();
  expect(await guess(email, "192.0.2.1", 3)).toEqual(["wrong", "wrong", 600]);
  server.clock.aheadSeconds += 60 * 60 + 1;
  expect(await guess(email, "192.0.2.2", 10)).toEqual(Array(10).fill("wrong"));
});

test("a network counts as unknown again 60 days after the last sign-in from that network", async () => {
  const email = await owner();
  server.clock.aheadSeconds += 60 * 24 * 60 * 60 + 1;
  await attack(email, 21);
  expect(await guess(email, home, 3)).toEqual(["wrong", "wrong", 600]);
});

test("many refused guesses at the same time do not make room for new guesses", async () => {
  const email = await attacked();
  await guess(email, "192.0.2.1", 2);
  const refused = await Promise.all(Array.from({ length: 28 }, () => signIn(email, "192.0.2.1")));
  expect(new Set(refused)).toEqual(new Set([600]));
  expect(await guess(email, "192.0.2.2", 3)).toEqual(["wrong", "wrong", 600]);
});

test("while many networks guess a password, all addresses of an IPv6 /48 count as one network", async () => {
  const email = await attacked();
  expect(await signIn(email, "2001:db8:1:1::1")).toBe("wrong");
  expect(await signIn(email, "2001:db8:1:2::1")).toBe("wrong");
  expect(await signIn(email, "2001:db8:1:3::1")).toBe(600);
  expect(await signIn(email, "2001:db8:2:1::1", password)).toBe("in");
});

test("failed sign-ins from a known network do not lower the limit of other networks", async () => {
  const email = await owner();
  for (let round = 0; round < 3; round++) {
    await guess(email, home, 10);
    server.clock.aheadSeconds += 200;
  }
  expect(await guess(email, "192.0.2.1", 10)).toEqual(Array(10).fill("wrong"));
});

test("an email address without an account has the same sign-in limits, in any letter case", async () => {
  const written = ["nobody@example.com", " NOBODY@example.com "];
  expect(await guess(written[0] ?? "", "192.0.2.1", 5)).toEqual(Array(5).fill("wrong"));
  expect(await guess(written[1] ?? "", "192.0.2.1", 6)).toEqual([...Array(5).fill("wrong"), 20]);
  await attack("nobody@example.com", 11);
  expect(await guess("nobody@example.com", "192.0.2.2", 3)).toEqual(["wrong", "wrong", 600]);
});

test("a wrong password runs the same SQL statements in the owner's network, elsewhere, and without an account", async () => {
  const email = await owner();
  const query = vi.spyOn(Client.prototype, "query");
  const statements = async (address: string, ip: string) => {
    query.mockClear();
    expect(await signIn(address, ip)).toBe("wrong");
    const all = query.mock.calls.map(([statement]) => textOfStatement(statement));
    // Old rows of these two are removed now and then, and the job queue looks for work side by side with the request.
    return all.filter((sql) => !/^with failures as|private\.jobs/.test(sql)).sort();
  };
  const unknown = await statements("nobody@example.com", home);
  expect(unknown.length).toBeGreaterThan(4);
  expect(await statements(email, "192.0.2.1")).toEqual(unknown);
  expect(await statements(email, home)).toEqual(unknown);
  query.mockRestore();
  // These failures do not count against the account.
  const { rows } = await server.database.owner.query("select max(cardinality(failed_at)) from auth.sign_in_failures");
  expect(rows).toEqual([{ max: 1 }]);
});

test("password guesses at one account do not lower the limits of another account", async () => {
  await attacked();
  const other = await owner();
  expect(await guess(other, "203.0.113.1", 10)).toEqual(Array(10).fill("wrong"));
});

test("a sign-in that the limit refuses is not logged as login_failed", async () => {
  const email = await owner();
  await guess(email, "192.0.2.1", 10);
  const failures = async () => {
    const { rows } = await server.database.owner.query(
      `select sum(coalesce((payload #>> '{repeats,times}')::int, 1))::int as times from auth.audit_log_entries
       where payload ->> 'action' = 'login_failed'`,
    );
    return rows[0].times;
  };
  const before = await failures();
  await guess(email, "192.0.2.1", 5);
  expect(await failures()).toBe(before);
});

test("failures at invented addresses of an hour ago are removed by those that follow", async () => {
  const { owner } = server.database;
  await owner.query(
    "insert into auth.sign_in_failures select sha256(n::text::bytea), '{}', $1 from generate_series(1, 100) n",
    [new Date(server.now().getTime() - 61 * 60 * 1000)],
  );
  const old = "select from auth.sign_in_failures where failed_at = '{}'";
  for (let n = 0; n < 300 && (await owner.query(old)).rowCount; n++)
    await signIn(`${n}@nowhere.example`, `192.0.${n}.1`);
  expect((await owner.query(old)).rowCount).toBe(0);
});

test("the tables for sign-in limits contain no email address or IP address as plain text", async () => {
  const email = await owner();
  await attack(email, 3);
  const tables = ["rate_limits", "sign_in_failures", "known_devices"];
  for (const table of tables) {
    const { rows } = await server.database.owner.query(`select t::text as row from auth.${table} t`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/203\.0|198\.51|@example/);
  }
});
