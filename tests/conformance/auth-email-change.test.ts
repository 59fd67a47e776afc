import { afterEach, describe, expect, test } from "vitest";
import { passwordHasher } from "#backend/auth/passwords/password-hasher";
import { issueToken, newOneTimeToken } from "#backend/auth/tokens/one-time-tokens";
import { inTransaction } from "#backend/database/transaction";
import { siteUrl, startAuth } from "#tests/support/auth-server";

const server = await startAuth();
afterEach(() => expect(server.failures).toEqual([]));

const password = "correct horse";
const first = {
  data: { user: null, session: null },
  error: null,
};
const expired = { status: 403, code: "otp_expired" };
const fresh = () => `${crypto.randomUUID()}@example.com`;

const newest = (address: string) => server.newestMail(address, "change-email");

const follow = async (address: string) =>
  server.client().auth.verifyOtp({ token_hash: (await newest(address)).token, type: "email_change" });

const type = async (address: string, token?: string) =>
  server
    .client()
    .auth.verifyOtp({ email: address, token: token ?? (await newest(address)).code, type: "email_change" });

/** A member who has asked for another address. */
async function changing(newEmail = fresh()) {
  const member = await server.member();
  const answer = await member.client.auth.updateUser({ email: newEmail });
  if (answer.error) throw answer.error;
  return { ...member, newEmail, user: answer.data.user };
}

const mayLogIn = async (email: string, secret = password) =>
  (await server.client().auth.signInWithPassword({ email, password: secret })).error === null;

describe("a change of the address", () => {
  test("waits for both addresses, each with a link and a code", async () => {
    const { client, email, newEmail, user } = await changing();
    expect(user).toMatchObject({ email, new_email: newEmail, email_change_sent_at: expect.any(String) });
    for (const address of [email, newEmail]) {
      expect(await newest(address)).toMatchObject({
        code: expect.stringMatching(/^\d{6}$/),
        link: expect.stringMatching(/^https:\/\/site\.example\/auth#token_hash=[0-9a-f]{64}&type=email_change$/),
        facts: [
          ["Current address", email],
          ["New address", newEmail],
        ],
      });
    }

    expect(await follow(email)).toEqual(first);
    expect([await mayLogIn(email), await mayLogIn(newEmail)]).toEqual([true, false]);
    await server.client().auth.resetPasswordForEmail(email);
    const { link: forgotten } = await server.newestMail(email, "recover");
    const { data, error } = await follow(newEmail);
    expect((await server.follow(forgotten)).values.get("error_code")).toBe("otp_expired");
    expect([error, data.session?.user.email, data.session?.user.new_email]).toEqual([null, newEmail, undefined]);
    expect([await mayLogIn(email), await mayLogIn(newEmail)]).toEqual([false, true]);

    const { data: own } = await client.auth.getUser();
    expect(own.user).toMatchObject({ email: newEmail, user_metadata: { email: newEmail, email_verified: true } });
    expect(own.user?.identities).toMatchObject([{ email: newEmail, identity_data: { email: newEmail } }]);
    expect((await server.newestMail(email, "email-changed")).link).toBe(`${siteUrl}/auth`);
    const changes = (await server.events(own.user?.id)).filter(({ action }) => action === "user_modified");
    expect(changes.map(({ traits }) => traits?.email)).toEqual(["requested", "changed"]);
  });

  test("can be confirmed by codes, the new address first, and by links at the API", async () => {
    const typed = await changing();
    expect(await type(typed.newEmail)).toEqual(first);
    expect((await type(typed.email)).data.session?.user.email).toBe(typed.newEmail);

    const linked = await changing();
    const { status, values } = await server.follow((await newest(linked.newEmail)).link);
    expect([status, values.get("message")]).toEqual([
      303,
      "Confirmation link accepted. Please proceed to confirm link sent to the other email",
    ]);
    const last = await server.follow((await newest(linked.email)).link);
    expect([last.values.get("type"), last.values.has("access_token")]).toEqual(["email_change", true]);
  });

  test("needs both addresses: one of them cannot confirm twice", async () => {
    const { email, newEmail, user } = await changing();
    const { link } = await newest(newEmail);
    server.clock.aheadSeconds += 61;
    await server.client().auth.resend({ type: "email_change", email });
    const second = await newest(newEmail);
    expect(second.link).not.toBe(link);
    expect(await follow(newEmail)).toEqual(first);
    expect((await server.follow(link)).values.get("error_code")).toBe("otp_expired");
    expect((await type(newEmail, second.code)).error).toMatchObject(expired);
    // Not with a link that was being made at that moment either.
    const late = await newOneTimeToken(passwordHasher());
    await inTransaction(server.database.owner, (db) =>
      issueToken(db, { userId: user.id, purpose: "email_change_new" }, late),
    );
    expect(await server.client().auth.verifyOtp({ token_hash: late.token, type: "email_change" })).toEqual(first);
    expect([await mayLogIn(email), await mayLogIn(newEmail)]).toEqual([true, false]);

    // Only the other address gets the mail again.
    server.clock.aheadSeconds += 61;
    const before = (await server.mailsTo(newEmail)).length;
    await server.client().auth.resend({ type: "email_change", email });
    expect((await follow(email)).data.session?.user.email).toBe(newEmail);
    expect((await server.mailsTo(newEmail)).length).toBe(before);
  });

  test("is replaced by a newer one, and can be made undone by a change back", async () => {
    const { client, email, newEmail } = await changing();
    const { link } = await newest(newEmail);
    server.clock.aheadSeconds += 61;
    const wanted = fresh();
    expect((await client.auth.updateUser({ email: wanted.toUpperCase() })).data.user?.new_email).toBe(wanted);
    expect((await server.follow(link)).values.get("error_code")).toBe("otp_expired");
    await follow(email);
    expect((await follow(wanted)).data.session?.user.email).toBe(wanted);

    server.clock.aheadSeconds += 61;
    await client.auth.updateUser({ email });
    await follow(wanted);
    expect((await follow(email)).data.session?.user.email).toBe(email);
  });

  test("to the present address in other letters changes nothing", async () => {
    const { client, email } = await server.member();
    const { data } = await client.auth.updateUser({ email: ` ${email.toUpperCase()}` });
    expect(data.user).not.toHaveProperty("new_email");
    expect(await server.mailsTo(email)).toEqual([]);
  });

  test("to the address of an account gets the same answer, and tells the account's owner", async () => {
    const owner = await server.member();
    const taken = await changing(owner.email);
    const free = await changing();
    expect(Object.keys(taken.user).sort()).toEqual(Object.keys(free.user).sort());
    expect((await server.newestMail(owner.email, "new-email-taken")).link).toBe(`${siteUrl}/auth`);
    expect((await newest(owner.email)).code).toBe("");

    expect(await follow(taken.email)).toEqual(first);
    expect((await type(owner.email, "123456")).error).toMatchObject(expired);
    expect(await mayLogIn(owner.email)).toBe(true);
  });

  test("is for the one who proves the mailbox: an unconfirmed account of the new address goes", async () => {
    const { email, newEmail } = await changing();
    await follow(email);
    await server.client().auth.signUp({ email: newEmail, password: "a stranger's" });
    expect((await follow(newEmail)).data.session?.user.email).toBe(newEmail);
    expect([await mayLogIn(newEmail), await mayLogIn(newEmail, "a stranger's")]).toEqual([true, false]);
  });

  test("is refused if another account has confirmed the address meanwhile", async () => {
    const { email, newEmail } = await changing();
    const { link } = await newest(newEmail);
    await follow(email);
    await server.member(newEmail, "the mailbox's owner");
    expect((await server.follow(link)).values.get("error_code")).toBe("otp_expired");
    expect([await mayLogIn(email), await mayLogIn(newEmail, "the mailbox's owner")]).toEqual([true, true]);
  });

  test("by both links at the same time is made once", async () => {
    const { email, newEmail } = await changing();
    await Promise.all([newest(email), newest(newEmail)]);
    const answers = await Promise.all([follow(email), follow(newEmail)]);
    expect(answers.map(({ error }) => error)).toEqual([null, null]);
    expect(answers.filter(({ data }) => data.session)).toHaveLength(1);
    expect(await mayLogIn(newEmail)).toBe(true);
  });

  test("ends with the account", async () => {
    const { newEmail, user } = await changing();
    await newest(newEmail);
    await server.database.owner.query("delete from auth.users where id = $1", [user.id]);
    expect((await follow(newEmail)).error).toMatchObject(expired);
  });

  test("ends with a change of the password, also if the present address has confirmed it", async () => {
    const { client, email, newEmail } = await changing();
    const { link } = await newest(newEmail);
    await follow(email);
    const { data } = await client.auth.updateUser({ password: "another horse", current_password: password });
    expect(data.user).not.toHaveProperty("new_email");
    expect((await server.follow(link)).values.get("error_code")).toBe("otp_expired");
    server.clock.aheadSeconds += 61;
    await server.client().auth.resend({ type: "email_change", email });
    expect((await follow(newEmail)).error).toMatchObject(expired);
  });

  test("makes the password unproved, because the owner of the new address may not have chosen it", async () => {
    const { email, newEmail, user } = await changing();
    const { owner } = server.database;
    await owner.query("update auth.users set password_set_after_confirmation = true where id = $1", [user.id]);
    const isProved = async () =>
      (await owner.query("select password_set_after_confirmation as proved from auth.users where id = $1", [user.id]))
        .rows[0].proved;
    await follow(email);
    expect(await isProved()).toBe(true);
    await follow(newEmail);
    expect(await isProved()).toBe(false);
  });
});

describe("mails about a change of the address", async () => {
  const limited = await startAuth({ limitsAreOn: true, trustProxy: "loopback" });

  /** Asks for another address, from a network of its own. */
  async function ask(member: { session: { access_token: string } }, email: string, network: number) {
    const headers = { "x-forwarded-for": `10.1.${network}.1` };
    const token = member.session.access_token;
    const answer = await limited.call("/auth/v1/user", { method: "PUT", body: { email }, token, headers });
    return [answer.status, (await answer.json()).code];
  }

  test("are one in a minute, and five at once to an account and to a new address, whoever asks", async () => {
    const [one, other] = [await limited.member(), await limited.member()];
    expect(await ask(one, "victim@example.com", 1)).toEqual([200, undefined]);
    expect(await ask(one, "second@example.com", 1)).toEqual([429, "over_email_send_rate_limit"]);
    for (let network = 2; network < 6; network++) await ask(one, "victim@example.com", network);
    expect(await ask(one, "third@example.com", 6)).toEqual([429, "over_email_send_rate_limit"]);
    expect(await ask(other, "victim@example.com", 7)).toEqual([429, "over_email_send_rate_limit"]);
    expect(await ask(other, "fourth@example.com", 7)).toEqual([200, undefined]);
    expect((await limited.mailsTo("victim@example.com")).length).toBeLessThanOrEqual(5);
  });

  test("are not used up by strangers who ask for a change to the address that a person wants to leave", async () => {
    const [stranger, victim] = [await limited.member(), await limited.member()];
    for (let network = 11; network < 17; network++) await ask(stranger, victim.email, network);
    expect(await ask(victim, "elsewhere@example.com", 17)).toEqual([200, undefined]);
  });

  test("are sent again by a stranger only as often as to an account, and to an unknown address never", async () => {
    const { client, email } = await limited.member();
    await client.auth.updateUser({ email: "wanted@example.com" });
    const resend = async (address: string, network: number) =>
      (
        await limited.call("/auth/v1/resend", {
          body: { email: address, type: "email_change" },
          headers: { "x-forwarded-for": `10.2.${network}.1` },
        })
      ).status;
    for (let network = 0; network < 8; network++) expect(await resend(email, network)).toBe(200);
    expect(await resend("wanted@example.com", 1)).toBe(200);
    expect(await resend("nobody@example.com", 1)).toBe(200);
    expect((await limited.mailsTo("wanted@example.com")).length).toBeLessThanOrEqual(5);
    expect(await limited.mailsTo("nobody@example.com")).toEqual([]);
  });
});
