import { describe, expect, test } from "vitest";
import { takeLimits } from "#backend/limits/rate-limiter";
import { startAuth } from "#tests/support/auth-server";

const server = await startAuth();

const password = "correct horse";
const refused = { status: 403, code: "otp_expired", message: "Token has expired or is invalid" };

/** Signs up and returns the link and code of the mail. */
async function signUp(email = `${crypto.randomUUID()}@example.com`) {
  const { error } = await server.client().auth.signUp({ email, password });
  if (error) throw error;
  return { email, ...(await server.newestMail(email)) };
}

/** Returns a wrong code: only its last digit differs. */
const wrong = (code: string) => code.slice(0, 5) + ((Number(code[5]) + 1) % 10);

const enter = (email: string, token: string, type: "signup" | "email" | "recovery" = "signup") =>
  server.client().auth.verifyOtp({ email, token, type });

describe("a mailed code", () => {
  test.each(["signup", "email"] as const)(
    "of type %s confirms the email address and invalidates the link in the same mail",
    async (kind) => {
      const { email, link, code } = await signUp();
      expect(code).toMatch(/^\d{6}$/);
      const { data, error } = await enter(email.toUpperCase(), ` ${code.slice(0, 3)} ${code.slice(3)} `, kind);
      expect(error).toBeNull();
      expect(data.session?.user).toMatchObject({ email, user_metadata: { email_verified: true } });

      expect((await enter(email, code, kind)).error).toMatchObject(refused);
      expect((await server.follow(link)).values.get("error_code")).toBe("otp_expired");
    },
  );

  test("is refused after five wrong codes, while the mailed link and a new code still work", async () => {
    const { email, link, code } = await signUp();
    for (let round = 0; round < 5; round++) expect((await enter(email, wrong(code))).error).toMatchObject(refused);
    expect((await enter(email, code)).error).toMatchObject(refused);

    server.clock.aheadSeconds += 61;
    await server.client().auth.resend({ type: "signup", email });
    const next = await server.newestMail(email);
    expect(next.link).not.toBe(link);
    for (let round = 0; round < 4; round++) await enter(email, wrong(next.code));
    expect((await enter(email, next.code)).error).toBeNull();

    const other = await signUp();
    for (let round = 0; round < 5; round++) await enter(other.email, wrong(other.code));
    expect((await server.follow(other.link)).values.has("access_token")).toBe(true);
  });

  test("is compared with only five of thirty concurrent guesses", async () => {
    const { email, code } = await signUp();
    const guesses = Array.from({ length: 30 }, () =>
      server.call("/auth/v1/verify", { body: { email, token: wrong(code), type: "signup" } }),
    );
    for (const answer of await Promise.all(guesses)) expect([403, 429]).toContain(answer.status);

    const attempts = (await server.events(email)).filter(({ action }) => action === "verification_attempted");
    expect(attempts).toMatchObject([{ times: 5 }]);
    expect((await enter(email, code)).error).toMatchObject(refused);
  });

  test("of an older mail is refused, while the link in that mail still works", async () => {
    const { email, link, code } = await signUp();
    server.clock.aheadSeconds += 61;
    await server.client().auth.resend({ type: "signup", email });
    await server.mails();
    expect((await enter(email, code)).error).toMatchObject(refused);
    expect((await server.follow(link)).values.has("access_token")).toBe(true);
  });

  test("is refused after an hour, while the link in the same mail still works", async () => {
    const { email, link, code } = await signUp();
    server.clock.aheadSeconds += 60 * 60 + 1;
    expect((await enter(email, code)).error).toMatchObject(refused);
    expect((await server.follow(link)).values.has("access_token")).toBe(true);
  });

  test("is refused in the same way if the code, the email address or the type is wrong", async () => {
    const { email, code } = await signUp();
    const member = await server.member();
    const answers = [
      await enter("nobody@example.com", "123456"),
      await enter("nonsense", "123456"),
      await enter(member.email, "123456"),
      await enter(email, code, "recovery"),
      await enter(email, "12345"),
    ];
    for (const { error } of answers) expect(error).toMatchObject(refused);
  });
});

describe("guesses at mailed codes", async () => {
  const limited = await startAuth({ limitsAreOn: true, trustProxy: "loopback" });

  /** Makes an account to which a recovery mail was sent. Resolves with its address and the mail's code. */
  async function recovering() {
    const { email } = await limited.member();
    await limited.client().auth.resetPasswordForEmail(email);
    return { email, ...(await limited.newestMail(email)) };
  }

  let guesses = 0;

  /** Sends a code from the next address of the network `10.0.NETWORK.0/24`. Resolves with the status of the answer. */
  async function guess(email: string, token: string, network: number) {
    guesses += 1;
    const headers = { "x-forwarded-for": `10.0.${network}.${guesses % 256}` };
    return (await limited.call("/auth/v1/verify", { body: { email, token, type: "recovery" }, headers })).status;
  }

  async function guessWrongly(email: string, code: string, { times, network }: { times: number; network: number }) {
    const statuses: number[] = [];
    for (let round = 0; round < times; round++) statuses.push(await guess(email, wrong(code), network));
    return statuses;
  }

  test("by a stranger do not block the correct code from another network", async () => {
    const { email, code } = await recovering();
    const statuses = await guessWrongly(email, code, { times: 30, network: 1 });
    expect(statuses).toEqual(Array(30).fill(403));
    expect(await guess(email, code, 1)).toBe(403);
    expect(await guess(email, code, 2)).toBe(200);
  });

  test("are limited to 25 for one code, from any number of networks", async () => {
    const { email, code } = await recovering();
    for (let network = 10; network < 15; network++) await guessWrongly(email, code, { times: 5, network });
    expect(await guess(email, code, 15)).toBe(403);
  });

  test("are answered in the same way, however many mails and networks, if the address has no account", async () => {
    const known = (await limited.member()).email;
    const statusesOf = async (email: string) => {
      const statuses: number[] = [];
      for (let mail = 0; mail < 3; mail++) {
        // The last mail brings the address to its limit.
        const settings = { limitsAreOn: true, accountMailsPerHour: 100 };
        for (let taken = 0; mail === 2 && taken < 45; taken++)
          await takeLimits(settings, limited.database.owner, ["codes"], { email, purpose: "recovery" });
        limited.clock.aheadSeconds += 61;
        await limited.call("/auth/v1/recover", { body: { email }, headers: { "x-forwarded-for": `10.1.${mail}.1` } });
        await limited.mails();
        for (let network = 20; network < 25; network++)
          statuses.push(...(await guessWrongly(email, "12345", { times: 5, network })));
      }
      return statuses;
    };
    expect(await statusesOf(known)).toEqual(await statusesOf("nobody@example.com"));
  });
});

test("/verify refuses a mailed link or code that is sent with the type magiclink", async () => {
  const { email, code, token } = await signUp();
  const byHash = await server.client().auth.verifyOtp({ token_hash: token, type: "magiclink" });
  expect(byHash.error).toMatchObject({ code: "otp_expired", message: "Email link is invalid or has expired" });
  const byCode = await server.client().auth.verifyOtp({ email, token: code, type: "magiclink" });
  expect(byCode.error).toMatchObject(refused);
});
