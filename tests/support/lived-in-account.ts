import type { SupabaseClient } from "@supabase/supabase-js";
import { expect } from "vitest";
import type { AuthServer } from "./auth-server.ts";
import { totpCode } from "./totp.ts";

const setPassword = { password: "more feathers", current_password: "correct horse" };

/** An account that has done everything that leaves a row. Resolves with all that identifies it. */
export async function livedInAccount(server: AuthServer, run: (line: string) => Promise<unknown>, local: string) {
  const { owner } = server.database;
  const rowsOf = async (sql: string, ...values: unknown[]) => (await owner.query(sql, values)).rows;
  const email = `${local}@example.com`;
  // An earlier account of the address, of which only log lines are left.
  await run(`invite ${email} --admin`);
  const [former] = await rowsOf("select id from auth.users where email = $1", email);
  await run(`delete ${email} --yes --last-admin`);

  const { client, user } = await server.memberBySignUp(email);
  await client.auth.updateUser({ data: { nickname: local } });
  expect((await client.auth.updateUser(setPassword)).error).toBeNull();
  await addSecondFactor(server, client);
  await server.signIn(email, setPassword.password);
  await client.auth.refreshSession();
  await server.client().auth.signInWithPassword({ email, password: "wrong" });
  await server.client().auth.resetPasswordForEmail(email);
  await server.mails();
  await server.client().auth.verifyOtp({ email, token: "000000", type: "recovery" });
  await run(`grant ${email}`);
  await server.mails();

  server.clock.mailIsDown = true;
  // After the cooldown of mails to this address.
  server.clock.aheadSeconds += 61;
  await server.client().auth.signUp({ email, password: "a stranger's" });
  await server.mails();
  await owner.query("update private.jobs set last_error = $1, attempts = attempts_max", [
    `550 no such user <${email}>`,
  ]);
  server.clock.mailIsDown = false;
  await client.from("contacts").insert({ name: local, company: "Wombat & Co", email, interest: "consulting" });
  await owner.query(
    `insert into contacts (name, email, interest, submitted_at, state, note, spam_reason) values
     ('A', $1, 'consulting', now() - interval '2 days', 'handled', 'Call back', null),
     ('B', $1, 'partnerships', now() - interval '3 days', 'archived', '', null),
     ('C', $1, 'consulting', now() - interval '4 days', 'spam', '', 'Too many'),
     ('D', $1, 'consulting', now() - interval '5 days', 'deleted', '', null)`,
    [email],
  );
  await owner.query(
    `insert into private.jobs (task, payload, attempts_max, run_at)
     select 'mail-contact', jsonb_build_object('contact_id', id, 'to', 'boss@site.example'), 22, now() + interval '1 hour'
     from contacts where email = $1`,
    [email],
  );
  const [{ id: otherId }] = await rowsOf(
    `insert into contacts (name, email, interest, note, handled_by, handled_by_since, read_by, read_at, note_by, note_at)
     values ('Other', $1, 'consulting', $2, $3, '2026-01-01Z', $3, '2026-01-01Z', $3, '2026-01-01Z') returning id`,
    `not.${email}`,
    `Knows ${email.toUpperCase()}, and not.${email} too.`,
    user.id,
  );
  const [session] = await rowsOf("select id from auth.sessions where user_id = $1 limit 1", user.id);
  const contacts = await rowsOf("select id from contacts where email = $1", email);
  const ids: string[] = [former, user, session, ...contacts].map(({ id }) => id);
  return { email, otherId, ids, user, client };
}

/** Leaves a verified factor and wrong codes. */
async function addSecondFactor(server: AuthServer, { auth: { mfa } }: Pick<SupabaseClient, "auth">) {
  const { data } = await mfa.enroll({ factorType: "totp", friendlyName: "Phone" });
  const factorId = data?.id ?? "";
  const secret = data?.totp.secret ?? "";
  expect((await mfa.challengeAndVerify({ factorId, code: "wrong" })).error).toMatchObject({ status: 422 });
  const code = totpCode(secret, 0, server.now());
  const { data: verified } = await mfa.challengeAndVerify({ factorId, code });
  const path = "/auth/v1/factors/recovery-codes";
  const token = verified?.access_token ?? "";
  expect((await server.call(path, { token, method: "POST" })).status).toBe(200);
  expect((await server.call(`${path}/verify`, { token, body: { code: "wrong" } })).status).toBe(422);
}
