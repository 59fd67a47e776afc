import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { resetSecondFactor } from "#backend/auth/operator-accounts";
import { lockUserByEmail } from "#backend/auth/users";
import { inTransaction } from "#backend/database/transaction";
import { queueAccountMail } from "#server/jobs/account-mails";
import { startSecondFactorServer } from "#tests/support/second-factor-server";

// A thief of the password sends a request while the owner confirms a second factor. Every check that was made before the
// owner's transaction ended must be made again after it.

const { server, code, call, inTurn } = await startSecondFactorServer();

const password = "correct horse";
const next = "another correct horse";

async function signIn(email: string) {
  return call("/token?grant_type=password", "", { body: { email, password } });
}

/** An account with two sessions at aal1, the owner's and a thief's, and a request that confirms the owner's factor. */
async function ownerAndThief() {
  const email = `${crypto.randomUUID()}@example.com`;
  const { user } = await call("/signup", "", { body: { email, password } });
  const { access_token: thief } = await signIn(email);
  const { access_token: owner } = await signIn(email);
  const { id: factorId, totp } = await call("/factors", owner, { body: { factor_type: "totp" } });
  const confirm = () => call(`/factors/${factorId}/verify`, owner, { body: { code: code(totp.secret) } });
  return { email, user, owner, thief, factorId, confirm };
}

describe("while the owner confirms the first factor, a thief of the password cannot", () => {
  test.each<[string, (factorId: string) => [string, { method?: string; body?: unknown }]]>([
    ["add a factor", () => ["/factors", { body: { factor_type: "totp", friendly_name: "Thief" } }]],
    ["remove it", (factorId) => [`/factors/${factorId}`, { method: "DELETE" }]],
    ["change the password", () => ["/user", { method: "PUT", body: { password: next, current_password: password } }]],
    ["ask for another address", () => ["/user", { method: "PUT", body: { email: "thief@example.com" } }]],
  ])("%s", async (_what, request) => {
    const { email, user, thief, factorId, confirm } = await ownerAndThief();
    const [path, init] = request(factorId);
    const [confirmed, refused] = await inTurn({ table: "users", id: user.id }, [
      confirm,
      () => call(path, thief, init),
    ]);
    expect(confirmed.status).toBe(200);
    expect(refused).toMatchObject({ status: 403, code: "session_not_found" });

    const after = await call("/user", confirmed.access_token);
    expect(after).toMatchObject({ status: 200, factors: [{ id: factorId, status: "verified" }] });
    expect(after.new_email).toBeUndefined();
    expect((await signIn(email)).status).toBe(200);
  });
});

test("the first factor ends a change of the address that waits", async () => {
  const { thief, confirm } = await ownerAndThief();
  const email = `${crypto.randomUUID()}@example.com`;
  expect((await call("/user", thief, { method: "PUT", body: { email } })).new_email).toBe(email);
  const [mail] = await server.mailsTo(email);
  expect((await confirm()).user.new_email).toBeUndefined();
  expect((await server.follow(mail?.link ?? "")).values.get("error_code")).toBe("otp_expired");
});

test("an operator removes a factor that a thief confirms at the same moment", async () => {
  const { email, user, confirm } = await ownerAndThief();
  const reset = () =>
    inTransaction(server.database.owner, async (db) => {
      const locked = await lockUserByEmail(db, email);
      return locked && resetSecondFactor(db, locked, queueAccountMail);
    });
  const [confirmed, wasReset] = await inTurn({ table: "users", id: user.id }, [confirm, reset]);
  expect([confirmed.status, wasReset]).toEqual([200, true]);
  expect((await call("/user", confirmed.access_token)).code).toBe("session_not_found");
  expect((await signIn(email)).user).not.toHaveProperty("factors");
});

test("a sign-out of all other sessions does not wait for a second factor that waits for it", async () => {
  const { user, owner, thief, confirm } = await ownerAndThief();
  const sessionId = decodeJwt(owner).session_id as string;
  const signOut = () => call("/logout?scope=others", thief, { method: "POST" });
  const answers = await inTurn({ table: "sessions", id: sessionId }, [confirm, signOut]);
  expect(answers.map(({ status }) => status)).toEqual([200, 204]);
  // The owner's session has ended as well, so the second sign-out was the later one of the two.
  expect((await server.database.owner.query("select from auth.sessions where user_id = $1", [user.id])).rowCount).toBe(
    0,
  );
});
