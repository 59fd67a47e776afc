import { Client } from "pg";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { startAuth } from "#tests/support/auth-server";
import { textOfStatement } from "#tests/support/statement-text";

const server = await startAuth({ limitsAreOn: true, trustProxy: "loopback", stoppedAt: new Date() });
beforeEach(() => server.database.owner.query("truncate auth.rate_limits"));
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

test("an email address without an account has the same sign-in limits, in any letter case", async () => {
  const written = ["nobody@example.com", " NOBODY@example.com "];
  expect(await guess(written[0] ?? "", "192.0.2.1", 5)).toEqual(Array(5).fill("wrong"));
  expect(await guess(written[1] ?? "", "192.0.2.1", 6)).toEqual([...Array(5).fill("wrong"), 20]);
});

test("a wrong password runs the same SQL statements in the owner's network, elsewhere, and without an account", async () => {
  const email = await owner();
  const query = vi.spyOn(Client.prototype, "query");
  const statements = async (address: string, ip: string) => {
    query.mockClear();
    expect(await signIn(address, ip)).toBe("wrong");
    const all = query.mock.calls.map(([statement]) => textOfStatement(statement));
    // Full buckets are removed now and then, and the job queue looks for work side by side with the request.
    return all.filter((sql) => !/^delete from auth\.rate_limits|private\.jobs/.test(sql)).sort();
  };
  const unknown = await statements("nobody@example.com", home);
  expect(unknown.length).toBeGreaterThan(2);
  expect(await statements(email, "192.0.2.1")).toEqual(unknown);
  expect(await statements(email, home)).toEqual(unknown);
  query.mockRestore();
});

test("password guesses at one account do not lower the limits of another account", async () => {
  await guess(await owner(), "203.0.113.1", 10);
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

test("the table of limits contains no email address or IP address as plain text", async () => {
  await guess(await owner(), "203.0.113.1", 3);
  const { rows } = await server.database.owner.query("select t::text as row from auth.rate_limits t");
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/203\.0|198\.51|@example/);
});
