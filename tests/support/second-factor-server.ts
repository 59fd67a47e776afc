import { afterAll, beforeEach } from "vitest";
import { type AuthServer, startAuth } from "./auth-server.ts";
import { totpCode } from "./totp.ts";

export type Member = Awaited<ReturnType<AuthServer["member"]>>;

export const wrongCode = { status: 422, code: "mfa_verification_failed", message: "Invalid TOTP code entered" };

/** A server for tests of the second factor. It ends after the tests of the file that calls this. */
export async function startSecondFactorServer() {
  const server = await startAuth({ autoconfirm: true });
  afterAll(() => server.stop());

  // Each test begins with a new 30-second step, so that none ends while the test uses its code.
  beforeEach(() => {
    const step = 30_000;
    server.clock.aheadSeconds += (step - (server.now().getTime() % step)) / 1000;
  });

  const code = (secret: string, stepOffset = 0) => totpCode(secret, stepOffset, server.now());

  async function enroll({ client }: Pick<Member, "client">, friendlyName = "Phone") {
    const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName });
    if (error) throw error;
    return data;
  }

  return {
    server,
    code,
    enroll,

    /** A member with a verified factor. The code of the step before the present one is used up. */
    async memberWithFactor() {
      const member = await server.member();
      const { id, totp } = await enroll(member);
      const { error } = await member.client.auth.mfa.challengeAndVerify({ factorId: id, code: code(totp.secret, -1) });
      if (error) throw error;
      return { ...member, factorId: id, secret: totp.secret };
    },

    async signInAgain({ email, password }: Pick<Member, "email" | "password">) {
      const client = server.client();
      const { data, error } = await client.auth.signInWithPassword({ email, password });
      if (error) throw error;
      return { client, session: data.session };
    },

    /** Sends a request of a signed-in person, and resolves with the status and the body. */
    async call(path: string, token: string, init: { method?: string; body?: unknown } = {}) {
      const answer = await server.call(`/auth/v1${path}`, { token, ...init });
      return { status: answer.status, ...(await answer.json()) };
    },
  };
}

export async function sessionOf({ client }: Pick<Member, "client">) {
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error("No session.");
  return data.session;
}
