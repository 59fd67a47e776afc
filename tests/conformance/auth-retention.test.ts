import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expiredRows } from "#backend/auth/expired-rows";
import { dailyRemoval } from "#server/jobs/daily-removal";
import type { Attempt } from "#server/jobs/worker";
import { startAuth } from "#tests/support/auth-server";
import { silentLog } from "#tests/support/silent-log";

const server = await startAuth();
const { owner } = server.database;
const { email, password, user } = await server.member();
await owner.query(
  `insert into auth.mfa_factors (user_id, factor_type, status, created_at, updated_at, secret)
     values ($1, 'totp', 'verified', now(), now(), 'A')`,
  [user.id],
);
const kept = { auditDays: 90, sessionIdleDays: 30, sessionMaxDays: 365 };
const { tasks } = dailyRemoval({ owner, log: silentLog, contactMonths: 24, spamDays: 30, expired: expiredRows(kept) });

/**
 * Says for how many seconds each kind of row is stored. A key is the text of an SQL statement after
 * `insert into auth.`. In this text, `$1` is the time of the row and `$2` is the id of a user.
 */
const retentionSeconds = {
  "audit_log_entries (payload, created_at) values ('{}', $1)": 90 * 24 * 60 * 60,
  "sessions (user_id, family_hash, amr, created_at) values ($2, sha256($1::text::bytea), '[]', $1)": 30 * 24 * 60 * 60,
  "sessions (user_id, family_hash, amr, created_at, refreshed_at) values ($2, sha256($1::text::bytea), '[]', $1, $1 + interval '340 days')":
    365 * 24 * 60 * 60,
  "refresh_tokens (session_id, token_hash, created_at, revoked_at) select id, sha256($1::text::bytea), $1, $1 from auth.sessions where amr <> '[]'":
    24 * 60 * 60,
  "one_time_tokens (user_id, purpose, token_hash, created_at, expires_at) values ($2, 'recovery', sha256($1::text::bytea), $1, $1)": 0,
  "mfa_factors (user_id, session_id, friendly_name, factor_type, created_at, updated_at, secret) values ($2, gen_random_uuid(), $1::text, 'totp', $1, $1, 'A')": 300,
  "rate_limits values (sha256($1::text::bytea), $1)": 0,
};

/** Runs the daily removal. The queue of the server does not know the job. */
const removeExpired = () => tasks["remove-expired-contacts"]?.({}, { repeat: async () => {} } as unknown as Attempt);

/** Adds a row of this age, and resolves with its `ctid`. */
async function insert(row: string, seconds: number): Promise<string> {
  const time = `(now() - interval '${seconds} seconds')`;
  const { rows } = await owner.query(
    `insert into auth.${row.replaceAll("$1", time).replaceAll("$2", `'${user.id}'::uuid`)} returning ctid`,
  );
  return rows[0].ctid;
}

test.each(Object.entries(retentionSeconds))(
  "the daily removal removes the row %s after its retention time, not earlier",
  async (row, seconds) => {
    const [table] = row.split(" ");
    const valid = await insert(row, seconds - 60);
    const expired = await insert(row, seconds + 60);
    await removeExpired();
    const { rows } = await owner.query(`select ctid from auth.${table} where ctid = any ($1::tid[])`, [
      [valid, expired],
    ]);
    expect(rows).toEqual([{ ctid: valid }]);
    await owner.query(`delete from auth.${table} where ctid = $1`, [valid]);
  },
);

test("a login, a failed one and a refresh remove nothing", async () => {
  const expired: { table: string | undefined; ctid: string }[] = [];
  for (const [row, seconds] of Object.entries(retentionSeconds))
    expired.push({ table: row.split(" ")[0], ctid: await insert(row, seconds + 60) });
  server.clock.aheadSeconds += 60;
  const client = server.client();
  await client.auth.signInWithPassword({ email, password: "wrong" });
  await client.auth.signInWithPassword({ email, password });
  await client.auth.refreshSession();
  for (const { table, ctid } of expired) {
    const { rowCount } = await owner.query(`select from auth.${table} where ctid = $1`, [ctid]);
    expect([table, rowCount]).toEqual([table, 1]);
  }
  await removeExpired();
});

test("expired sessions are removed a few at a time, and locked ones stay for the next day", async () => {
  await owner.query(
    `insert into auth.sessions (user_id, family_hash, amr, created_at)
     select $1, sha256(n::text::bytea), '[]', now() - interval '31 days' from generate_series(1, 120) n`,
    [user.id],
  );
  const left = async () => (await owner.query("select from auth.sessions where amr = '[]'")).rowCount;
  const other = await owner.connect();
  await other.query("begin");
  await other.query("select from auth.sessions where amr = '[]' order by id limit 3 for update");
  await removeExpired();
  expect(await left()).toBe(3);
  await other.query("rollback");
  other.release();
  await removeExpired();
  expect(await left()).toBe(0);
});

test("a spent token stays as long as the one that replaced it is not spent", async () => {
  const token = (hash: string) => `refresh_tokens (session_id, token_hash, parent_id, salt, created_at, revoked_at)
    select id, sha256('${hash}'), (select max(id) from auth.refresh_tokens where token_hash = sha256('spent')), '', $1,
      case '${hash}' when 'spent' then $1 end from auth.sessions where amr <> '[]' order by id limit 1`;
  const spent = await insert(token("spent"), 25 * 60 * 60);
  await insert(token("next"), 25 * 60 * 60);
  await removeExpired();
  expect((await owner.query("select from auth.refresh_tokens where ctid = $1", [spent])).rowCount).toBe(1);
});

test("docs/operating.md names every table of the schema auth in the section on retention", async () => {
  const page = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("## What is kept how long");
  const named = [...(section.split("\n## ")[0] ?? "").matchAll(/`auth\.(\w+)`/g)].map(([, table]) => table);
  const { rows } = await server.database.owner.query("select tablename from pg_tables where schemaname = 'auth'");
  expect(new Set(named)).toEqual(new Set(rows.map(({ tablename }) => tablename)));
});
