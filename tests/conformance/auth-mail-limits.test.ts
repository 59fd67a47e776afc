import { beforeEach, expect, test } from "vitest";
import { grantAdminRole } from "#backend/auth/admin-roles";
import { startAuth } from "#tests/support/auth-server";

/** At most this many mails of a kind in an hour, and half of them at once. */
const accountMailsPerHour = 16;
const siteMails = accountMailsPerHour / 2;
const server = await startAuth({
  limitsAreOn: true,
  accountMailsPerHour,
  trustProxy: "loopback",
  stoppedAt: new Date(),
});
beforeEach(async () => {
  // A mail that was refused waits for its next attempt, with which it would take one of this test's mails.
  await server.database.owner.query("truncate auth.rate_limits, private.jobs");
  server.clock.aheadSeconds += 1;
});

const password = "correct horse";
const newAddress = () => `${crypto.randomUUID()}@example.com`;
/** An address in the network `number`. */
const network = (number: number) => `11.0.${number}.7`;

type Path = "/signup" | "/recover" | "/resend";

async function request(path: Path, email: string, ip: string) {
  const body = { email, password, type: "signup" };
  const answer = await server.call(`/auth/v1${path}`, { body, headers: { "x-forwarded-for": ip } });
  const { code, message } = await answer.json();
  const retryAfter = Number(answer.headers.get("retry-after"));
  return answer.status === 200 ? "sent" : { status: answer.status, code, message, retryAfter };
}

/** Requests mails to one address, each from another network. */
async function requestFromNetworks(count: number, path: Path, email: string) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, number) => request(path, email, network(number))),
  );
  return new Set(answers);
}

async function signedUp() {
  const email = newAddress();
  expect(await request("/signup", email, "198.51.100.1")).toBe("sent");
  await server.mails();
  return email;
}

/** Creates a confirmed account. Its sign-up and the used link count for no limit of the test. */
async function member() {
  const { email, user } = await server.member(newAddress(), password);
  await server.database.owner.query("truncate auth.rate_limits");
  return { email, user };
}

const mailsTo = async (email: string, kind: string) =>
  (await server.mailsTo(email)).filter((mail) => mail.kind === kind);

const works = async (link = "") => (await server.follow(link)).values.has("access_token");

const limited = { status: 429, code: "over_email_send_rate_limit", message: "email rate limit exceeded" };

test.each([
  ["/recover", "/resend"],
  ["/resend", "/recover"],
  ["/signup", "/recover"],
] as const)(
  "%s answers ten requests of a /24 and then one each six minutes; %s has its own ten",
  async (path, other) => {
    const ask = (asked: Path, ip: string) => request(asked, "nobody@example.com", ip);
    const send = (index: number) =>
      path === "/signup" ? request(path, newAddress(), `192.0.2.${index}`) : ask(path, `192.0.2.${index}`);
    const answers = await Promise.all(Array.from({ length: path === "/signup" ? 8 : 10 }, (_, index) => send(index)));
    expect(new Set(answers)).toEqual(new Set(["sent"]));
    if (path === "/signup") for (let more = 0; more < 2; more++) await ask("/resend", "192.0.2.1");
    expect(await send(11)).toEqual({ ...limited, retryAfter: 360 });
    expect(await ask(other, "192.0.2.1")).toBe("sent");
    expect(await ask(path === "/signup" ? "/resend" : path, "192.0.3.1")).toBe("sent");

    server.clock.aheadSeconds += 360;
    expect(await ask(path === "/signup" ? "/resend" : path, "192.0.2.1")).toBe("sent");
    expect(await send(12)).toMatchObject(limited);
  },
);

test("all networks of an IPv6 /48 together may request ten mails", async () => {
  const answers: unknown[] = [];
  for (let index = 0; index < 11; index++)
    answers.push(await request("/recover", newAddress(), `2001:db8:1:${index}::1`));
  expect(answers).toEqual([...Array(10).fill("sent"), { ...limited, retryAfter: 360 }]);
});

test("requests for made-up addresses do not use up the mails of the site", async () => {
  const { email } = await member();
  for (let number = 0; number < siteMails + 2; number++) {
    for (const path of ["/recover", "/resend"] as const) await request(path, newAddress(), network(number));
  }
  expect(await request("/recover", email, network(200))).toBe("sent");
  expect(await mailsTo(email, "recover")).toHaveLength(1);
});

test("sign-ups are refused while the site's mails for them are used up; recovery mails are still sent", async () => {
  const { email } = await member();
  const unconfirmed: string[] = [];
  for (let number = 0; number < siteMails; number++) {
    const address = newAddress();
    unconfirmed.push(address);
    expect(await request("/signup", address, network(number))).toBe("sent");
  }
  const retryAfter = (2 * 60 * 60) / accountMailsPerHour;
  expect(await request("/signup", newAddress(), network(100))).toEqual({ ...limited, retryAfter });

  // Anyone can make unconfirmed accounts, so requested mails to them count apart from the recovery of others.
  for (const [number, address] of unconfirmed.entries()) await request("/recover", address, network(number));
  await server.mails();
  const [first = ""] = unconfirmed;
  expect(await request("/resend", first, network(103))).toBe("sent");
  expect(await mailsTo(first, "confirm-address")).toHaveLength(1);
  expect(await request("/recover", email, network(101))).toBe("sent");
  expect(await mailsTo(email, "recover")).toHaveLength(1);
  await server.database.owner.query("delete from private.jobs");

  // They do not count as sign-ups either: the answer to the next sign-up would show that the account exists.
  server.clock.aheadSeconds += retryAfter;
  expect(await request("/resend", first, network(104))).toBe("sent");
  expect(await mailsTo(first, "confirm-address")).toHaveLength(2);
  expect(await request("/signup", newAddress(), network(102))).toBe("sent");
});

test("a recovery mail beyond the site's limit is sent later, that to an admin at once", async () => {
  const members = await Promise.all([member(), member()]);
  const [late, admin] = [await member(), await member()];
  await grantAdminRole(server.database.owner, admin.user.id);
  for (const { email } of members) {
    for (let number = 0; number < siteMails / 2; number++) await request("/recover", email, network(number));
    await server.mails();
  }
  expect(await request("/recover", late.email, network(100))).toBe("sent");
  expect(await request("/recover", admin.email, network(100))).toBe("sent");
  expect(await mailsTo(admin.email, "recover")).toHaveLength(1);
  expect(await mailsTo(late.email, "recover")).toEqual([]);
  const { rows } = await server.database.owner.query("select last_error as reason from private.jobs");
  expect(rows).toEqual([{ reason: expect.stringContaining("ACCOUNT_MAILS_PER_HOUR") }]);

  server.clock.aheadSeconds += 60 * 60;
  await server.database.owner.query("update private.jobs set run_at = now()");
  await expect.poll(() => mailsTo(late.email, "recover"), { timeout: 20_000 }).toHaveLength(1);
});

test.each([
  ["/recover", "recover"],
  ["/signup", "already-registered"],
] as const)("%s mails five times to a confirmed address and then once each 15 minutes", async (path, kind) => {
  const { email } = await member();
  expect(await requestFromNetworks(8, path, email)).toEqual(new Set(["sent"]));
  expect(await mailsTo(email, kind)).toHaveLength(5);
  server.clock.aheadSeconds += 15 * 60;
  for (const number of [50, 51]) expect(await request(path, email, network(number))).toBe("sent");
  expect(await mailsTo(email, kind)).toHaveLength(6);
});

test.each(["/signup", "/resend"] as const)(
  "%s mails five times to an unconfirmed address; each of these links works",
  async (path) => {
    const email = await signedUp();
    expect(await requestFromNetworks(8, path, email)).toEqual(new Set(["sent"]));
    const mails = await mailsTo(email, "confirm-address");
    expect(mails).toHaveLength(5);

    expect(await works(mails[0]?.link)).toBe(true);
    expect(await works(mails[4]?.link)).toBe(false);
  },
);

test("strangers who request mail after mail do not prevent a person from recovering the account, again and again", async () => {
  const { email } = await member();
  for (let round = 0; round < 2; round++) {
    await requestFromNetworks(8, "/recover", email);
    const stale = (await mailsTo(email, "recover")).at(-1)?.link;
    server.clock.aheadSeconds += 59 * 60;
    await requestFromNetworks(8, "/recover", email);
    // A used link ends those of all mails, so no mail of this round may still be on its way. And in the next round the
    // networks must be over their cooldown.
    await server.mails();
    expect(await works(stale)).toBe(true);
    server.clock.aheadSeconds += 60;
  }
});

test("a stranger's /resend neither blocks a person's sign-up nor uses up its mails", async () => {
  const email = newAddress();
  await requestFromNetworks(8, "/resend", email);
  expect(await server.mails()).not.toContainEqual(expect.objectContaining({ to: email }));
  expect(await request("/signup", email, "198.51.100.1")).toBe("sent");
  expect(await mailsTo(email, "confirm-address")).toHaveLength(1);

  expect(await request("/signup", email, "198.51.100.1")).toEqual({
    ...limited,
    message: "For security purposes, you can only request this after 60 seconds.",
    retryAfter: 60,
  });
});
