import { expect, test } from "vitest";
import { keysOf, startAuth } from "#tests/support/auth-server";
import { totpCode } from "#tests/support/totp";

// `GUESSED_CODES=10000 npm test -- tests/conformance/auth-second-factor-guessing.test.ts` sends so many from each attacker
// and prints what became of them.
const guesses = Number(process.env.GUESSED_CODES ?? 36);
const day = 24 * 60 * 60;

/** The clock, the secret and the guesses are the same in each run, so none is right by chance in one of them. */
const stoppedAt = new Date("2027-01-01T00:00:10Z");
const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const secretKeys = keysOf("a key of tests");
const server = await startAuth({ autoconfirm: true, limitsAreOn: true, trustProxy: "loopback", stoppedAt, secretKeys });

const home = "198.51.100.1";
const email = () => `${crypto.randomUUID()}@example.com`;
const password = "correct horse";

async function post(path: string, ip: string, body: unknown, token?: string) {
  const headers = { "x-forwarded-for": ip };
  const answer = await server.call(`/auth/v1${path}`, { body, headers, ...(token && { token }) });
  return { status: answer.status, ...(await answer.json()) };
}

async function signIn(address: string, ip: string): Promise<string> {
  const { access_token } = await post("/token?grant_type=password", ip, { email: address, password });
  return access_token;
}

async function tryCode(factorId: string, token: string, { ip, code }: { ip: string; code: string }) {
  return post(`/factors/${factorId}/verify`, ip, { code }, token);
}

const rightCode = (stepOffset = 0) => totpCode(secret, stepOffset, server.now());

/** An account whose owner has used the second factor at home, and has recovery codes. */
async function owner() {
  const address = email();
  const { access_token: first } = await post("/signup", home, { email: address, password });
  const { id } = await post("/factors", home, { factor_type: "totp" }, first);
  const stored = await secretKeys.encrypt(secret, id);
  await server.database.owner.query("update auth.mfa_factors set secret = $1 where id = $2", [stored, id]);
  const { access_token } = await tryCode(id, first, { ip: home, code: rightCode() });
  const { codes } = await post("/factors/recovery-codes", home, {}, access_token);
  return { address, factorId: id, codes: codes as string[] };
}

/** A thief of the password guesses codes for a day, each from the network that `networkOf` names. */
async function guessForADay(
  { address, factorId }: Awaited<ReturnType<typeof owner>>,
  networkOf: (guess: number) => string,
) {
  const tally = { checked: 0, refused: 0, right: 0 };
  let token = "";
  for (let guess = 0; guess < guesses; guess++) {
    // An access token lives an hour.
    if (guess % Math.ceil(guesses / 24) === 0) token = await signIn(address, networkOf(guess));
    const { status } = await tryCode(factorId, token, { ip: networkOf(guess), code: `${guess}`.padStart(6, "0") });
    tally[status === 422 ? "checked" : status === 429 ? "refused" : "right"] += 1;
    server.clock.aheadSeconds += day / guesses;
  }
  return tally;
}

test(
  "of a day's guesses from a network for each, few reach a check, and none is right",
  async () => {
    const tally = await guessForADay(await owner(), (guess) => `203.${guess >> 8}.${guess & 255}.1`);
    if (process.env.GUESSED_CODES) process.stdout.write(`${guesses} codes in a day: ${JSON.stringify(tally)}\n`);
    expect(tally.right).toBe(0);
    expect([25, 26]).toContain(tally.checked);
  },
  15 * 60_000,
);

test("an owner under attack gets in with a recovery code", async () => {
  const { address, factorId, codes } = await owner();
  const thief = await signIn(address, "203.0.0.1");
  for (let guess = 0; guess < 21; guess++) {
    await tryCode(factorId, thief, { ip: `203.0.${guess}.1`, code: "wrong" });
    // As often as the limit of a session allows.
    server.clock.aheadSeconds += 20;
  }

  const hotel = "198.51.101.1";
  const token = await signIn(address, hotel);
  const refused = await tryCode(factorId, token, { ip: hotel, code: rightCode() });
  expect(refused).toMatchObject({ status: 429, code: "over_request_rate_limit" });
  const path = "/factors/recovery-codes/verify";
  expect(await post(path, hotel, { code: codes[0] }, token)).toMatchObject({ status: 200 });
});

test("ten factors have the attempts of one, and a right code gives those of its network back", async () => {
  const { address, factorId } = await owner();
  const second = crypto.randomUUID();
  await server.database.owner.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
     select $2, user_id, 'Second', 'totp', 'verified', $3, $3, $4 from auth.mfa_factors where id = $1`,
    [factorId, second, server.now(), await secretKeys.encrypt("AAAA", second)],
  );
  const token = await signIn(address, home);
  const statuses = async (ids: readonly string[]) => {
    const answers = [];
    for (const id of ids) answers.push((await tryCode(id, token, { ip: home, code: "wrong" })).status);
    return answers;
  };
  const five = (id: string) => Array<string>(5).fill(id);
  expect(await statuses([...five(factorId), ...five(second), factorId, second])).toEqual([
    ...Array(10).fill(422),
    429,
    429,
  ]);
  server.clock.aheadSeconds += 60 * 60;
  const again = await signIn(address, home);
  const right = await tryCode(factorId, again, { ip: home, code: rightCode() });
  expect(right.status).toBe(200);
  for (const _ of five("")) {
    const { status } = await tryCode(factorId, right.access_token, { ip: home, code: "wrong" });
    expect(status).toBe(422);
  }
});

test("all networks that one provider's customer has count as one", async () => {
  const { address, factorId } = await owner();
  const token = await signIn(address, "2001:db8:7::1");
  const statuses = [];
  for (let guess = 0; guess < 11; guess++)
    statuses.push((await tryCode(factorId, token, { ip: `2001:db8:7:${guess}::1`, code: "wrong" })).status);
  expect(statuses).toEqual([...Array(10).fill(422), 429]);
});

test("recovery codes have attempts of their own, per network", async () => {
  const { address, codes } = await owner();
  const token = await signIn(address, "192.0.2.7");
  const use = (ip: string, code = "wrong") => post("/factors/recovery-codes/verify", ip, { code }, token);
  const statuses = [];
  for (let attempt = 0; attempt < 11; attempt++) statuses.push((await use("192.0.2.7")).status);
  expect(statuses).toEqual([...Array(10).fill(422), 429]);
  expect(await use("192.0.2.7")).toMatchObject({
    code: "mfa_recovery_codes_locked",
    message: "Too many recovery codes were tried. Please try again in 10 minutes.",
  });
  expect((await use(home, codes[3])).status).toBe(200);
});
