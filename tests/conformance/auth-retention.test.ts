import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { startAuth } from "#tests/support/auth-server";

const server = await startAuth();
const { user } = await server.member();
await server.database.owner.query(
  `insert into auth.mfa_factors (user_id, factor_type, status, created_at, updated_at, secret)
     values ($1, 'totp', 'verified', now(), now(), 'A')`,
  [user.id],
);
afterAll(() => server.stop());

/**
 * Says for how many seconds each kind of row is stored. A key is the text of an SQL statement after
 * `insert into auth.`. In this text, `$1` is the time of the row and `$2` is the id of a user.
 */
const retentionSeconds = {
  "audit_log_entries (payload, created_at) values ('{}', $1)": 90 * 24 * 60 * 60,
  "sessions (user_id, family_hash, amr, created_at) values ($2, sha256($1::text::bytea), '[]', $1)": 30 * 24 * 60 * 60,
  "sessions (user_id, family_hash, amr, created_at, refreshed_at) values ($2, sha256($1::text::bytea), '[]', $1, $1 + interval '340 days')":
    365 * 24 * 60 * 60,
  "known_devices values ($2, 'network', sha256($1::text::bytea), $1)": 60 * 24 * 60 * 60,
  "known_devices values ($2, 'device', sha256($1::text::bytea), $1)": 180 * 24 * 60 * 60,
  "one_time_tokens (user_id, purpose, token_hash, created_at, expires_at) values ($2, 'recovery', sha256($1::text::bytea), $1, $1)": 0,
  "mfa_factors (user_id, session_id, friendly_name, factor_type, created_at, updated_at, secret) values ($2, gen_random_uuid(), $1::text, 'totp', $1, $1, 'A')": 300,
  "mfa_challenges (factor_id, created_at, ip_address) select id, $1, '' from auth.mfa_factors where status = 'verified'": 300,
  "rate_limits values (sha256($1::text::bytea), $1)": 0,
  "sign_in_failures values (sha256($1::text::bytea), array[$1], $1)": 60 * 60,
};

/** A server removes expired rows at most once in this time. */
const removalSeconds = 1;

const triggers = {
  "a sign-in": (email: string, password: string) => server.client().auth.signInWithPassword({ email, password }),
  "a sign-in that fails": (email: string) => server.client().auth.signInWithPassword({ email, password: "wrong" }),
  async "a refresh"(email: string, password: string) {
    const client = server.client();
    await client.auth.signInWithPassword({ email, password });
    await client.auth.refreshSession();
  },
};

test.each(Object.entries(retentionSeconds))(
  "the row %s is deleted after its retention time, not earlier",
  async (row, seconds) => {
    const { owner } = server.database;
    const { email, password, user } = await server.member();
    const [table] = row.split(" ");
    for (const trigger of Object.values(triggers)) {
      server.clock.aheadSeconds += removalSeconds;
      const now = server.now().getTime();
      const older = new Date(now - (seconds + 60) * 1000);
      const younger = new Date(now - (seconds - 60) * 1000);
      const insert = async (at: Date) => {
        const values = row.replaceAll("$1", "$1::timestamptz").replaceAll("$2", "$2::uuid");
        const text = row.includes("$2")
          ? `insert into auth.${values}`
          : `with unused as (select $2::uuid) insert into auth.${values}`;
        return (await owner.query(`${text} returning ctid`, [at, user.id])).rows[0].ctid;
      };
      const valid = await insert(younger);
      const expired = await insert(older);
      await trigger(email, password);
      const { rows } = await owner.query(`select ctid from auth.${table} where ctid = any ($1::tid[])`, [
        [valid, expired],
      ]);
      expect(rows).toEqual([{ ctid: valid }]);
      await owner.query(`delete from auth.${table} where ctid = $1`, [valid]);
    }
  },
);

test("sign-ins delete a few expired sessions a second, but no locked session", async () => {
  const { owner } = server.database;
  const { email, password, user } = await server.member();
  await owner.query(
    "insert into auth.sessions (user_id, family_hash, amr, created_at) select $1, sha256(n::text::bytea), '[]', $2 from generate_series(1, 300) n",
    [user.id, new Date(server.now().getTime() - 31 * 24 * 60 * 60 * 1000)],
  );
  const count = async () => {
    const { rows } = await owner.query(
      "select count(*)::int as n from auth.sessions where used_at is null and amr = '[]'",
    );
    return rows[0].n;
  };
  const other = await owner.connect();
  await other.query("begin");
  await other.query("select from auth.sessions where amr = '[]' order by id limit 3 for update");
  const counts = [await count()];
  while ((counts.at(-1) ?? 0) > 3) {
    server.clock.aheadSeconds += removalSeconds;
    await server.client().auth.signInWithPassword({ email, password });
    counts.push(await count());
  }
  await other.query("rollback");
  other.release();
  expect(counts.at(-1)).toBe(3);
  expect(counts.length).toBeGreaterThan(5);
});

test("a sign-in succeeds although the expired rows cannot be removed", async () => {
  const { owner } = server.database;
  const { email, password } = await server.member();
  server.clock.aheadSeconds += removalSeconds;
  await owner.query("alter table auth.mfa_challenges rename to renamed");
  const { data, error } = await server.client().auth.signInWithPassword({ email, password });
  await owner.query("alter table auth.renamed rename to mfa_challenges");
  expect(error).toBeNull();
  expect(data.user?.email).toBe(email);
});

test("docs/operating.md names every table of the schema auth in the section on retention", async () => {
  const page = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("## What is kept how long");
  const named = [...(section.split("\n## ")[0] ?? "").matchAll(/`auth\.(\w+)`/g)].map(([, table]) => table);
  const { rows } = await server.database.owner.query("select tablename from pg_tables where schemaname = 'auth'");
  expect(new Set(named)).toEqual(new Set(rows.map(({ tablename }) => tablename)));
});
