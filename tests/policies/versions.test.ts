import { join } from "node:path";
import type { ClientBase, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asCaller, type Claims } from "#backend/database/as-caller";
import { type Connections, connect } from "#backend/database/connections";
import { openBackup } from "#operations/backup/read-backup";
import { migrationsFor, restoreBackup } from "#operations/backup/restore-backup";
import { writeBackup } from "#operations/backup/write-backup";
import { migrate, readProductMigrations } from "#server/database";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { cleanEmail } from "#validation/contact";
import cases from "../fixtures/contact-cases.json" with { type: "json" };
import { createEmptyDatabase, service, visitor } from "../support/database.ts";
import { majors, startMajor } from "../support/postgres-major.ts";
import { silentLog } from "../support/silent-log.ts";

/**
 * In an old hosted Supabase project, every API role gets all rights on each new object in the schema public. New
 * projects and plain PostgreSQL do not have these default privileges.
 */
const generousDefaults = `
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;`;

describe.each(majors)("on PostgreSQL %i,", (major) => {
  /** Not on version 18, where each of these rules has a test of its own. */
  const onOlder = test.runIf(major < 18);
  let postgres: Awaited<ReturnType<typeof startMajor>>;
  beforeAll(async () => {
    postgres = await startMajor(major);
  }, 120_000);
  afterAll(() => postgres?.stop());

  onOlder("server_version shows the same major version", async () => {
    await inDatabase("template1", async ({ owner }) => {
      const { rows } = await owner.query("show server_version");
      expect(Number.parseInt(rows[0].server_version, 10)).toBe(major);
    });
  });

  test("the migrations give every role the same rights, even if the default privileges are wider", async () => {
    const plain = await inNewDatabase("plain", migratedRights);
    const old = await inNewDatabase("old", async (connections) => {
      await connections.owner.query(generousDefaults);
      return migratedRights(connections);
    });
    expect(old).toEqual(plain);
    expect(plain.filter((right) => right.startsWith("PUBLIC "))).toEqual([]);
    expect(plain.filter((right) => right.startsWith("anon "))).toEqual([
      "anon insert contacts.company",
      "anon insert contacts.email",
      "anon insert contacts.interest",
      "anon insert contacts.name",
    ]);
  });

  test("the migrations need no superuser and no ownership of the table auth.users", async () => {
    const rights = await inNewDatabase("hosted", async ({ owner, caller }) => {
      for (const { sql } of readProductMigrations().bootstrap) await owner.query(sql);
      await owner.query(`${generousDefaults}
        create role project login bypassrls createrole password 'a hosted project''s';
        grant create on database hosted to project;
        grant create on schema public to project;
        grant usage on schema auth, extensions to project;
        grant all on auth.users to project;
        create type auth.factor_status as enum ('unverified', 'verified');
        alter table auth.mfa_factors drop constraint mfa_factors_status_check,
          drop constraint mfa_factors_session_id_check, alter status drop default,
          alter status type auth.factor_status using status::auth.factor_status;
        grant select on auth.mfa_factors to project;
        alter default privileges for role project in schema public grant all on tables to anon, authenticated;
        alter default privileges for role project in schema public grant execute on functions to anon, authenticated`);
      const project = connect(
        { ...postgres.connection, database: "hosted", user: "project", password: "a hosted project's" },
        silentLog,
      );
      const found = await migratedRights(project);
      await checkSecondFactor(owner, project.owner, caller);
      await project.close();
      return found;
    });
    // A hosted project has no job queue, so the view and the function for failed deliveries are missing there.
    const plain = await inDatabase("old", migratedRights);
    expect(rights).toEqual(plain.filter((right) => !/ (delivery_failures|retry_deliveries)/.test(right)));
  });

  onOlder("visitors can send contacts and have to wait in between; only admins can read contacts", async () => {
    await inDatabase("old", async ({ owner, caller }) => {
      const as = <T>(claims: Claims, work: (db: ClientBase) => Promise<T>) => asCaller(caller, claims, work);
      const { rows: users } = await owner.query(
        "insert into auth.users (email) values ('m@x.org'), ('a@x.org') returning id",
      );
      const [member, admin] = users.map(({ id }): Claims => ({ role: "authenticated", sub: id }));
      await as(service, (db) => db.query("insert into user_roles values ($1, 'admin')", [admin?.sub]));

      await as(visitor, (db) => db.query(insert, [" <Ada>\t", "ada@x.org"]));
      await as(visitor, (db) => db.query(insert, ["Ada", "ADA@x.org"]));
      const tooFast = as(visitor, (db) => db.query(insert, ["Grace", "ada@x.org"]));
      await expect(tooFast).rejects.toMatchObject({ code: "PT429" });
      const nameless = as(visitor, (db) => db.query(insert, [null, "ada@x.org"]));
      await expect(nameless).rejects.toMatchObject({ code: "23514", message: expect.stringContaining("name") });

      const read = (db: ClientBase) => db.query("select name from contacts");
      await expect(as(visitor, read)).rejects.toMatchObject({ code: "42501" });
      expect((await as(member as Claims, read)).rows).toEqual([]);
      expect((await as(admin as Claims, read)).rows).toEqual([{ name: "Ada" }]);
    });
  });

  onOlder("contacts beyond the limit for one IP address are stored as spam", async () => {
    await inDatabase("plain", async ({ owner, caller }) => {
      const request = { method: "POST", path: "/contacts", headers: { "x-forwarded-for": "203.0.113.7" } };
      for (let n = 0; n <= 30; n++)
        await asCaller(caller, visitor, (db) => db.query(insert, ["Ada", `${n}@x.org`]), { request });
      const { rows } = await owner.query("select email from contacts where spam_reason is not null");
      expect(rows).toEqual([{ email: "30@x.org" }]);
    });
  });

  onOlder("an admin searches and counts contacts", async () => {
    await inDatabase("plain", async ({ owner, caller }) => {
      const { rows: users } = await owner.query("insert into auth.users (email) values ('s@x.org') returning id");
      await owner.query("insert into user_roles values ($1, 'admin')", [users[0].id]);
      await owner.query(`insert into contacts (name, email, interest, submitted_at)
        select 'Zoë ' || n, n || '@y.org', 'partnerships', now() - n * interval '1 day' from generate_series(1, 20) n`);
      const read = async (sql: string) =>
        (await asCaller(caller, { role: "authenticated", sub: users[0].id }, (db) => db.query(sql))).rows;

      expect(await read("select name from contacts where search_text like '%zoe 19%'")).toEqual([{ name: "Zoë 19" }]);
      expect(await read("select count(*)::int from contacts where search_text like '%zoe%'")).toEqual([{ count: 20 }]);
      expect(await read("select revision from inbox_news()")).toEqual([{ revision: "0" }]);
      const days = "select sum(contacts)::int as sum from contacts_per_week where interest = 'partnerships'";
      expect(await read(days)).toEqual([{ sum: 20 }]);
      await owner.query("delete from contacts where email = '9@y.org'");
      expect(await read(days)).toEqual([{ sum: 19 }]);
    });
  });

  onOlder("the database cleans email addresses and texts as the browser does", async () => {
    await inDatabase("plain", async ({ owner }) => {
      const length = { name: 120, company: 160, email: 160 };
      for (const { field, raw, clean, why } of cases) {
        const call =
          field === "email"
            ? "case when private.is_contact_email(private.clean_email($1)) then private.clean_email($1) end"
            : `private.clean_text($1, ${length[field as "name"]})`;
        const { rows } = await owner.query(`select ${call} as clean`, [raw]);
        expect(rows[0].clean, why).toBe(clean);
      }
      expect(cleanEmail("ΑΣ")).toBe("ας");
    });
  });

  onOlder("a backup of this version fills PostgreSQL 18, and the other way round", async () => {
    const folder = await temporaryFolder();
    const newest = await createEmptyDatabase();
    try {
      const first = await inNewDatabase("moved", async ({ owner }) => {
        await migrate(owner, silentLog);
        // Settings that would change the text of COPY, and the order of its rows.
        await owner.query(`alter database moved set timezone = 'Asia/Tokyo'; alter database moved set datestyle = 'German';
          alter database moved set bytea_output = 'escape'; alter database moved set intervalstyle = 'iso_8601';
          insert into auth.users (email, raw_user_meta_data, created_at) values ('ü@x.org', '{"a": 1.50}', '2001-02-03 04:05:06.000007+08');
          insert into auth.audit_log_entries (payload, created_at) values ('{"z": "\\u00fc", "a": null}', '1999-12-31');
          insert into contacts (name, email, interest, note) values ('Zoë', 'z@x.org', 'consulting', E'a\tb\nc\\N')`);
        return writeBackup(owner, join(folder, "first.zip"));
      });
      expect(Number.parseInt(first.manifest.postgres, 10)).toBe(major);
      await fill(newest, join(folder, "first.zip"));
      const second = await writeBackup(newest.owner, join(folder, "second.zip"));
      expect(second.manifest.tables).toEqual(first.manifest.tables);
      await inNewDatabase("back", (connections) => fill(connections, join(folder, "second.zip")));
      const third = await inDatabase("back", ({ owner }) => writeBackup(owner, join(folder, "third.zip")));
      expect(third.manifest.tables).toEqual(first.manifest.tables);
    } finally {
    }
  });

  async function inNewDatabase<T>(name: string, work: (connections: Connections) => Promise<T>): Promise<T> {
    await inDatabase("template1", ({ owner }) => owner.query(`create database ${name} template template0`));
    return inDatabase(name, work);
  }

  async function inDatabase<T>(database: string, work: (connections: Connections) => Promise<T>): Promise<T> {
    const connections = connect({ ...postgres.connection, database }, silentLog);
    try {
      return await work(connections);
    } finally {
      await connections.close();
    }
  }
});

async function fill({ owner }: Pick<Connections, "owner">, file: string) {
  const backup = await openBackup(file);
  await migrate(owner, silentLog, migrationsFor(backup.manifest, { isShared: false }));
  await restoreBackup(owner, backup, { sendsJobs: true }).finally(() => backup.close());
}

const insert = "insert into contacts (name, company, email, interest) values ($1, 'Engines', $2, 'consulting')";

/** What an administrator reads on a hosted project, where `project` owns the rule but not the factors. */
async function checkSecondFactor(owner: Pool, project: Pool, caller: Pool) {
  const { rows } = await owner.query("insert into auth.users (email) values ('f@x.org') returning id");
  const [{ id }] = rows;
  await owner.query("insert into user_roles values ($1, 'admin')", [id]);
  const observe = async (aal: string) => {
    const claims: Claims = { role: "authenticated", sub: id, aal };
    const sql = "select second_factor_step() as step, (select count(*)::int from contacts) as contacts";
    return (await asCaller(caller, claims, (db) => db.query(sql))).rows[0];
  };
  await owner.query("insert into contacts (name, email, interest) values ('Ada', 'ada@x.org', 'consulting')");
  expect(await observe("aal1")).toEqual({ step: "none", contacts: 1 });
  await project.query("select private.set_second_factor_rule(true)");
  expect(await observe("aal1")).toEqual({ step: "set_up", contacts: 0 });
  await project.query("select private.set_second_factor_rule(false)");
  await owner.query(
    `insert into auth.mfa_factors (user_id, factor_type, status, secret, created_at, updated_at)
     values ($1, 'totp', 'verified', 'JBSWY3DPEHPK3PXP', now(), now())`,
    [id],
  );
  expect(await observe("aal1")).toEqual({ step: "verify", contacts: 0 });
  expect(await observe("aal2")).toEqual({ step: "none", contacts: 1 });
}

/** Runs the migrations. Resolves with all rights of roles other than the owner, one text per right. */
async function migratedRights({ owner }: Connections): Promise<string[]> {
  await migrate(owner, silentLog);
  const { rows } = await owner.query<{ right: string }>(`
    select grantee || ' ' || lower(privilege_type) || ' ' || table_name as "right"
    from information_schema.role_table_grants where table_schema in ('public', 'private') and grantee <> current_user
    union
    select grantee || ' ' || lower(privilege_type) || ' ' || table_name || '.' || column_name
    from information_schema.role_column_grants c
    where table_schema = 'public' and grantee <> current_user and not exists (
      select from information_schema.role_table_grants t
      where (t.table_schema, t.table_name, t.grantee, t.privilege_type)
          = (c.table_schema, c.table_name, c.grantee, c.privilege_type))
    union
    select grantee || ' execute ' || routine_name
    from information_schema.role_routine_grants
    where routine_schema in ('public', 'private') and grantee <> current_user
    order by 1`);
  return rows.map(({ right }) => right);
}
