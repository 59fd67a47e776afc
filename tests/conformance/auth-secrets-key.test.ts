import { expect, test } from "vitest";
import { encryptSecrets } from "#backend/auth/second-factor/factors";
import type { SecretKeys } from "#backend/secret-keys";
import { keysOf, startAuth } from "#tests/support/auth-server";
import { totpCode } from "#tests/support/totp";

/** The keys of the server, which a test replaces. */
let keys = keysOf("a first key of tests");
const secretKeys: SecretKeys = {
  encrypt: (...parts) => keys.encrypt(...parts),
  decrypt: (...parts) => keys.decrypt(...parts),
  renew: (...parts) => keys.renew(...parts),
  ids: () => keys.ids(),
};
const server = await startAuth({ autoconfirm: true, secretKeys });

const { owner } = server.database;

async function memberWithFactor() {
  const { client } = await server.member();
  const { mfa } = client.auth;
  const { data } = await mfa.enroll({ factorType: "totp" });
  const [factorId, secret] = data?.type === "totp" ? [data.id, data.totp.secret] : ["", ""];
  /** Each attempt comes a step later, because no code is accepted twice. */
  const verify = () => {
    server.clock.aheadSeconds += 30;
    return mfa.challengeAndVerify({ factorId, code: totpCode(secret, 0, server.now()) });
  };
  expect((await verify()).error).toBeNull();
  return { mfa, factorId, secret, verify };
}

/** What a start of the server does, and the errors that it logs. */
async function restartWith(...texts: string[]) {
  keys = keysOf(...texts);
  const errors: string[] = [];
  await encryptSecrets(owner, keys, { error: (message: string) => void errors.push(message) });
  return errors;
}

test("a start moves secrets under an older key to the first key", async () => {
  const { verify } = await memberWithFactor();
  expect(await restartWith("a second key of tests", "a first key of tests")).toEqual([]);
  keys = keysOf("a second key of tests");
  expect((await verify()).error).toBeNull();
});

test("without its key an app is refused in a sentence, a recovery code works, and the log names the key", async () => {
  const { mfa, verify } = await memberWithFactor();
  const { data } = await mfa.recoveryCodes.generate();
  const missing = expect.stringMatching(/Its key, [0-9a-f]{8}, is missing: add it to SECRETS_KEY/);
  expect(await restartWith("another machine's key")).toEqual([missing]);
  expect((await verify()).error).toMatchObject({
    status: 422,
    code: "mfa_totp_verify_not_enabled",
    message: expect.stringContaining("use a recovery code"),
  });
  expect(server.failures).toMatchObject([{ err: { message: missing } }]);
  expect((await mfa.recoveryCodes.verify({ code: data?.codes[0] ?? "" })).error).toBeNull();
});
