import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailedLink } from "#server/auth/account-mail/mailed-link";
import { type AuthServer, apiLinkOf, siteUrl, startAuth } from "#tests/support/auth-server";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuth();
});
afterAll(() => server.stop());

const password = "correct horse";
const refused = { status: 403, code: "otp_expired", message: "Token has expired or is invalid" };

/** Signs up and returns what the mail brought. */
async function signUp(email = `${crypto.randomUUID()}@example.com`) {
  const { error } = await server.client().auth.signUp({ email, password });
  if (error) throw error;
  return newestMail(email);
}

async function newestMail(email: string) {
  const { link = "", code = "" } = (await server.mailsTo(email)).at(-1) ?? {};
  return { email, link, code };
}

/** Of another last digit: as wrong as any other. */
const wrong = (code: string) => code.slice(0, 5) + ((Number(code[5]) + 1) % 10);

const type = (email: string, token: string, kind: "signup" | "email" | "recovery" = "signup") =>
  server.client().auth.verifyOtp({ email, token, type: kind });

describe("a code that is typed", () => {
  test.each(["signup", "email"] as const)("confirms as type %s, and spends the link as well", async (kind) => {
    const { email, link, code } = await signUp();
    expect(code).toMatch(/^\d{6}$/);
    const { data, error } = await type(email.toUpperCase(), ` ${code.slice(0, 3)} ${code.slice(3)} `, kind);
    expect(error).toBeNull();
    expect(data.session?.user).toMatchObject({ email, user_metadata: { email_verified: true } });

    expect((await type(email, code, kind)).error).toMatchObject(refused);
    expect((await server.follow(link)).values.get("error_code")).toBe("otp_expired");
  });

  test("has five tries, after which the link still works and a new mail brings a new code", async () => {
    const { email, link, code } = await signUp();
    for (let round = 0; round < 5; round++) expect((await type(email, wrong(code))).error).toMatchObject(refused);
    expect((await type(email, code)).error).toMatchObject(refused);

    server.clock.aheadSeconds += 61;
    await server.client().auth.resend({ type: "signup", email });
    const next = await newestMail(email);
    expect(next.link).not.toBe(link);
    for (let round = 0; round < 4; round++) await type(email, wrong(next.code));
    expect((await type(email, next.code)).error).toBeNull();

    const other = await signUp();
    for (let round = 0; round < 5; round++) await type(other.email, wrong(other.code));
    expect((await server.follow(other.link)).values.has("access_token")).toBe(true);
  });

  test("is looked at five times when a hundred guess at once", async () => {
    const { email, code } = await signUp();
    const { owner } = server.database;
    const tries =
      "select code_attempts_left from auth.one_time_tokens t join auth.users u on u.id = t.user_id where email = $1";
    const guesses = Array.from({ length: 100 }, () =>
      server.call("/auth/v1/verify", { body: { email, token: wrong(code), type: "signup" } }),
    );
    for (const answer of await Promise.all(guesses)) expect([403, 429]).toContain(answer.status);

    expect((await owner.query(tries, [email])).rows).toEqual([{ code_attempts_left: 0 }]);
    const { rows } = await owner.query(
      `select count(*) filter (where payload ->> 'actor_username' = $1)::int as counted from auth.audit_log_entries
       where payload ->> 'action' = 'verification_attempted' and created_at > now() - interval '1 day'`,
      [email],
    );
    expect(rows).toEqual([{ counted: 5 }]);
    expect((await type(email, code)).error).toMatchObject(refused);
  });

  test("is guessed no more often when the guesser asks for one mail after the other", async () => {
    const limited = await startAuth({ limits: true });
    try {
      const email = `${crypto.randomUUID()}@example.com`;
      const guess = () => limited.client().auth.verifyOtp({ email, token: "000000", type: "recovery" });
      const codes: (string | undefined)[] = [];
      for (let mail = 0; mail < 4; mail++) {
        await limited.client().auth.resetPasswordForEmail(email);
        for (let tries = 0; tries < 5; tries++) codes.push((await guess()).error?.code);
        limited.clock.aheadSeconds += 61;
      }
      expect(codes).toEqual([...Array(15).fill("otp_expired"), ...Array(5).fill("over_request_rate_limit")]);
    } finally {
      await limited.stop();
    }
  });

  test("lasts an hour, the link beside it a day", async () => {
    const { email, link, code } = await signUp();
    server.clock.aheadSeconds += 60 * 60 + 1;
    expect((await type(email, code)).error).toMatchObject(refused);
    expect((await server.follow(link)).values.has("access_token")).toBe(true);
  });

  test("reads the same for an unknown address, a confirmed one, and for another purpose", async () => {
    const { email, code } = await signUp();
    const member = await server.member();
    const answers = [
      await type("nobody@example.com", "123456"),
      await type("nonsense", "123456"),
      await type(member.email, "123456"),
      await type(email, code, "recovery"),
      await type(email, "12345"),
    ];
    for (const { error } of answers) expect(error).toMatchObject(refused);
  });

  test("is not in the database, nor anything that gives it away cheaply", async () => {
    const { email, code } = await signUp();
    const { rows } = await server.database.owner.query(
      "select code_hash, t::text as row from auth.one_time_tokens t join auth.users u on u.id = t.user_id where email = $1",
      [email],
    );
    expect(rows).toEqual([
      {
        // By the hasher that was handed in; what the usual one costs, auth-sign-in.test.ts asks.
        code_hash: expect.stringMatching(/^\$argon2id\$/),
        row: expect.not.stringContaining(code),
      },
    ]);
  });
});

test("a magic link is refused by either proof", async () => {
  const { email, link, code } = await signUp();
  const token_hash = new URL(apiLinkOf(link)).searchParams.get("token") ?? "";
  const byHash = await server.client().auth.verifyOtp({ token_hash, type: "magiclink" });
  expect(byHash.error).toMatchObject({ code: "otp_expired", message: "Email link is invalid or has expired" });
  const byCode = await server.client().auth.verifyOtp({ email, token: code, type: "magiclink" });
  expect(byCode.error).toMatchObject(refused);
});

test("a link to the page keeps its secret in the fragment, and the way on only if it is not the way home", () => {
  const link = { siteUrl, token: "t0ken", type: "recovery", redirectTo: `${siteUrl}/` } as const;
  expect(mailedLink(link)).toBe(`${siteUrl}/auth#token_hash=t0ken&type=recovery`);
  const elsewhere = { ...link, redirectTo: `${siteUrl}/admin/contacts?a=1&b=2` };
  expect(mailedLink(elsewhere)).toBe(
    `${siteUrl}/auth#token_hash=t0ken&type=recovery&redirect_to=${encodeURIComponent(elsewhere.redirectTo)}`,
  );
});
