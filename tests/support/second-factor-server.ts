import { setTimeout as pause } from "node:timers/promises";
import { beforeEach } from "vitest";
import { type AuthServer, startAuth } from "./auth-server.ts";
import { totpCode } from "./totp.ts";

export type Member = Awaited<ReturnType<AuthServer["member"]>>;

export const wrongCode = { status: 422, code: "mfa_verification_failed", message: "Invalid TOTP code entered" };

/** A server for tests of the second factor. */
export async function startSecondFactorServer(options: Parameters<typeof startAuth>[0] = {}) {
  const server = await startAuth({ autoconfirm: true, ...options });

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

  /** Sends a request with this token, or none, and resolves with the status and the body. */
  async function call(path: string, token: string, init: { method?: string; body?: unknown } = {}) {
    const answer = await server.call(`/auth/v1${path}`, { token, ...init });
    const body = await answer.text();
    return { status: answer.status, ...(body && JSON.parse(body)) };
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

    call,

    /** Lets these requests wait for the lock on this row, or for each other, in this order, and then go on. */
    async inTurn(row: { table: "users" | "sessions"; id: string }, work: (() => ReturnType<typeof call>)[]) {
      const { owner } = server.database;
      const holder = await owner.connect();
      await holder.query("begin");
      await holder.query(`select from auth.${row.table} where id = $1 for update`, [row.id]);
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      const answers: ReturnType<typeof call>[] = [];
      for (const start of work) {
        answers.push(start());
        while ((await owner.query(waiting)).rowCount !== answers.length) await pause(5);
      }
      await holder.query("commit");
      holder.release();
      return Promise.all(answers);
    },
  };
}

export async function sessionOf({ client }: Pick<Member, "client">) {
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error("No session.");
  return data.session;
}
