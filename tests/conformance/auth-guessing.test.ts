import { Client } from "pg";
import { beforeEach, expect, test, vi } from "vitest";
import { takeLimits } from "#backend/limits/rate-limiter";
import { startAuth } from "#tests/support/auth-server";
import { textOfStatement } from "#tests/support/statement-text";

const server = await startAuth({ limitsAreOn: true, trustProxy: "loopback", stoppedAt: new Date() });
beforeEach(() => server.database.owner.query("truncate auth.rate_limits"));

const password = "correct horse";

/** Signs in from the IP address `ip`. Resolves with "in", "wrong" or, after a 429, the seconds in `Retry-After`. */
async function signIn(email: string, ip: string, secret = "wrong horse") {
  const answer = await server.call("/auth/v1/token?grant_type=password", {
    body: { email, password: secret },
    headers: { "x-forwarded-for": ip },
  });
  if (answer.status === 429) return Number(answer.headers.get("retry-after"));
  return answer.status === 200 ? "in" : "wrong";
}

const member = async () => (await server.member(undefined, password)).email;

async function guess(email: string, ip: string, times: number) {
  const answers: Awaited<ReturnType<typeof signIn>>[] = [];
  for (let round = 0; round < times; round++) answers.push(await signIn(email, ip));
  return answers;
}

test("a correct password after 9 wrong ones signs in and restores all 10 attempts", async () => {
  const email = await member();
  expect(await guess(email, "192.0.2.1", 9)).toEqual(Array(9).fill("wrong"));
  expect(await signIn(email, "192.0.2.1", password)).toBe("in");
  expect(await guess(email, "192.0.2.1", 10)).toEqual(Array(10).fill("wrong"));
});

test("after 10 failures a network waits 300 s, even with the correct password; others do not", async () => {
  const [email, other] = [await member(), await member()];
  await guess(email, "192.0.2.1", 10);
  expect(await signIn(email, "192.0.2.1", password)).toBe(300);
  expect(await signIn(email, "198.51.100.1", password)).toBe("in");
  expect(await signIn(other, "192.0.2.1", password)).toBe("in");
  server.clock.aheadSeconds += 5 * 60;
  expect(await signIn(email, "192.0.2.1", password)).toBe("in");
});

test("many networks that guess a password do not lock its owner out", async () => {
  const email = await member();
  for (let network = 0; network < 60; network++) expect(await signIn(email, `203.0.${network}.1`)).toBe("wrong");
  expect(await signIn(email, "198.51.100.1", password)).toBe("in");
});

test("of 25 concurrent guesses from one network, only ten reach the password check", async () => {
  const email = await member();
  const answers = await Promise.all(Array.from({ length: 25 }, () => signIn(email, "192.0.2.1")));
  expect(answers.filter((answer) => answer === "wrong")).toHaveLength(10);
});

test.each(["192.0.2.", "2001:db8:1::"])("all addresses of %s share ten attempts", async (network) => {
  const email = await member();
  const answers: unknown[] = [];
  for (let host = 1; host <= 11; host++) answers.push(await signIn(email, `${network}${host}`));
  expect(answers).toEqual([...Array(10).fill("wrong"), 300]);
});

test("an email address without an account has the same limit, in any letter case", async () => {
  expect(await guess("nobody@example.com", "192.0.2.1", 5)).toEqual(Array(5).fill("wrong"));
  expect(await guess(" NOBODY@example.com ", "192.0.2.1", 6)).toEqual([...Array(5).fill("wrong"), 300]);
});

test("a wrong password runs the same SQL statements with and without an account", async () => {
  const email = await member();
  const query = vi.spyOn(Client.prototype, "query");
  const statements = async (address: string) => {
    query.mockClear();
    expect(await signIn(address, "192.0.2.1")).toBe("wrong");
    const all = query.mock.calls.map(([statement]) => textOfStatement(statement));
    // The job queue looks for work side by side with the request.
    return all.filter((sql) => /auth\./.test(sql));
  };
  const unknown = await statements("nobody@example.com");
  expect(unknown).toHaveLength(2);
  expect(await statements(email)).toEqual(unknown);
  query.mockRestore();
});

test("a sign-in that the limit refuses is not logged as login_failed", async () => {
  const email = await member();
  await guess(email, "192.0.2.1", 12);
  const failures = (await server.events(email)).filter(({ action }) => action === "login_failed");
  expect(failures).toMatchObject([{ times: 10 }]);
});

test("guesses at codes are limited to 100 for one address, and then to one in 15 minutes", async () => {
  const email = await member();
  const headers = { "x-forwarded-for": "192.0.2.1" };
  await server.call("/auth/v1/recover", { body: { email }, headers });
  const { code } = await server.newestMail(email);
  const enter = async (token: string) =>
    (await server.call("/auth/v1/verify", { body: { email, token, type: "recovery" }, headers })).status;
  const settings = { limitsAreOn: true, accountMailsPerHour: 100 };
  for (let taken = 0; taken < 99; taken++)
    await takeLimits(settings, server.database.owner, ["codes"], { email, purpose: "recovery" });

  expect([await enter("12345"), await enter(code)]).toEqual([403, 403]);
  server.clock.aheadSeconds += 15 * 60;
  expect([await enter("12345"), await enter(code)]).toEqual([403, 403]);
  server.clock.aheadSeconds += 15 * 60;
  expect(await enter(code)).toBe(200);
});

test("the table of the limits contains no email address or IP address as plain text", async () => {
  await guess(await member(), "203.0.113.1", 1);
  const { rows } = await server.database.owner.query("select t::text as row from auth.rate_limits t");
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/203\.0|@example/);
});
