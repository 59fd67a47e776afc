import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import Fastify from "fastify";
import { beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { retention } from "#content/legal";
import { backupName } from "#operations/backup/backup-files";
import { runDoctor } from "#operations/commands/doctor/run-doctor";
import { migrate, openDatabase } from "#server/database";
import { publicKey, startAuth } from "#tests/support/auth-server";
import { copyDataDir } from "#tests/support/data-dir";
import { createDatabase, createEmptyDatabase, createUser, hostedSchema } from "#tests/support/database";
import { admin, runCommand } from "#tests/support/run-command";
import { silentLog } from "#tests/support/silent-log";
import { startSmtp } from "#tests/support/smtp-server";
import { temporaryFolder } from "#tests/support/temporary-folder";

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

/** Runs `npm run doctor -- …` in this process. Resolves with its code and its findings in one line each. */
async function doctor(environment: Record<string, string>, { args = "", input = "" } = {}) {
  const notes: string[] = [];
  const { code, out, err } = await runCommand(runDoctor, args.split(" ").filter(Boolean), {
    environment: { ENV_FILE: "", HOST: "127.0.0.1", PORT: "9", ...environment },
    input,
    printNote: (text) => notes.push(text),
  });
  const lines = stripVTControlCharacters(out)
    .replace(/\n {18}/g, " ")
    .split("\n");
  return { code, lines: lines.map((line) => line.replace(/ +/g, " ")), err: [...notes, err].join("\n") };
}

describe("on the database of DATABASE_URL", async () => {
  const server = await startAuth();
  const { database } = server;
  await createUser(database, { admin: true });
  const check = (environment: Record<string, string> = {}) => doctor({ DATABASE_URL: database.url, ...environment });

  /** Breaks the database for the rest of this test. */
  async function breakDatabase(statement: string, mend: string) {
    await database.owner.query(statement);
    onTestFinished(async () => void (await database.owner.query(mend)));
  }

  test("the findings of a sound database are ok, and every row of it stays as it was", async () => {
    const rows = async () =>
      (
        await database.owner.query<{ rows: string }>(
          `select string_agg(query_to_xml(format('select * from %I.%I t order by t::text', table_schema, table_name), true, true, '')::text, '')
           as rows from information_schema.tables
           where table_type = 'BASE TABLE' and table_schema in ('public', 'auth', 'private', 'supabase_migrations')`,
        )
      ).rows[0]?.rows;
    const before = await rows();
    const { lines, err } = await check();
    expect(await rows()).toBe(before);
    expect(err).toMatch(/^Database: test_\w+ on \S+, as postgres$/m);
    expect(lines.filter((line) => / (access|people) /.test(line)).map((line) => line.split(" ")[0])).toEqual(
      Array(5).fill("ok"),
    );
    expect(lines).toContain("ok database All migrations are applied and match this code.");
  });

  test("times from the future and a removal that waits are told, until an operator says that the clock is right", async () => {
    const { owner } = database;
    const { user } = await server.member();
    await owner.query(
      `insert into contacts (name, email, interest, submitted_at) values
         ('Ida', 'ida@example.com', 'consulting', now() + interval '806 days'),
         ('Ada', 'ada@example.com', 'consulting', now() - interval '30 months')`,
    );
    await owner.query("update auth.sessions set refreshed_at = now() + interval '1 hour' where user_id = $1", [
      user.id,
    ]);
    await owner.query(
      `insert into private.jobs (task, payload, attempts_max, run_at, created_at) values
         ('remove-expired-contacts', '{}', 1, now() + interval '1 day', now() - interval '806 days'),
         ('ahead', '{}', 1, 'infinity', now() + interval '806 days')`,
    );
    await owner.query(
      "insert into private.visits select current_date + n, '/', '', '', 1 from generate_series(0, 2) n",
    );
    const told = async () => (await check()).lines.filter((line) => line.includes("trust-clock"));
    expect(await told()).toEqual([
      expect.stringMatching(
        /^look database The daily removal last ran on .*, so nothing that has expired is removed\./,
      ),
      expect.stringMatching(
        /^look database A clock was wrong, so there are times from the future in public\.contacts, auth\.sessions, private\.jobs, private\.visits\./,
      ),
    ]);

    const environment = { DATABASE_URL: database.url };
    const refused = await admin("trust-clock", { environment });
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/Contacts older than CONTACT_MONTHS by it: 1\.\n.*\nNothing was changed\./);
    expect(await told()).toHaveLength(2);
    expect((await admin("trust-clock --yes", { environment })).code).toBe(0);
    expect(await told()).toEqual([]);
    expect((await owner.query("delete from private.visits")).rowCount).toBe(1);
    await owner.query("delete from contacts; delete from private.jobs");
  });

  test("a database that is newer than the code or was edited is told, and so are open rights", async () => {
    await breakDatabase(
      `insert into supabase_migrations.server_migrations values ('9999', 'tomorrow');
       update supabase_migrations.schema_migrations set statements = '{select 1}' where name = 'contacts';
       grant truncate on contacts to anon`,
      `delete from supabase_migrations.server_migrations where version = '9999';
       update supabase_migrations.schema_migrations set statements = null where name = 'contacts';
       revoke truncate on contacts from anon`,
    );
    const { code, lines } = await check();
    expect(code).toBe(1);
    for (const line of [
      /^BROKEN access Callers may truncate public\.contacts, which no policy limits\. → revoke truncate/,
      /^BROKEN database The database is newer than this code: it has 9999_tomorrow\./,
      /^BROKEN database Edited after it had been applied: \d+_contacts\.sql\./,
    ])
      expect(lines).toContainEqual(expect.stringMatching(line));
  });

  test("an inbox without an admin, admins without a factor and a missing key are told", async () => {
    await database.owner.query("select private.set_second_factor_rule(true)");
    // A factor that was never confirmed protects nothing.
    await database.owner.query(
      `insert into auth.mfa_factors (user_id, session_id, factor_type, secret, created_at, updated_at)
       select user_id, gen_random_uuid(), 'totp', 'OWL', now(), now() from user_roles`,
    );
    const { user } = await server.member();
    await database.owner.query(
      `insert into auth.mfa_factors (user_id, factor_type, status, secret, created_at, updated_at)
       values ($1, 'totp', 'verified', '0123abcd.AAAA', now(), now())`,
      [user.id],
    );
    const { lines } = await check();
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^look people Admins without the second factor that ADMIN_MFA requires see no contact: \S+@example\.com/,
      ),
    );
    await database.owner.query("select private.set_second_factor_rule(false)");
    const { lines: withoutKey } = await check();
    expect(withoutKey).toContainEqual(
      expect.stringMatching(
        /^BROKEN people The codes of one authenticator app are refused: the key 0123abcd of their secrets is missing\./,
      ),
    );
    const other = await createDatabase();
    const { lines: without } = await check({ DATABASE_URL: other.url });
    expect(without).toContain(
      "BROKEN people No account may read the contacts. → npm run admin -- create you@your-domain --admin",
    );
  });

  test("as a hosted project, our own server is closed; credentials of a user come from standard input", async () => {
    const { email, password } = await server.member();
    const { code, lines } = await doctor(
      { PUBLIC_SUPABASE_URL: server.url, PUBLIC_SUPABASE_ANON_KEY: publicKey },
      { args: `--email ${email} --password-stdin`, input: `${password}\n` },
    );
    expect(lines.filter((line) => line.includes(" access "))).toEqual([
      "ok access A stranger neither reads nor changes contacts or roles.",
      "ok access A user without a role neither reads nor changes contacts or roles.",
    ]);
    // A finding to look at may be intended, so the exit code is 0.
    expect([code, lines.at(-1)]).toEqual([0, expect.stringMatching(/ [1-9]\d* to look at, nothing is broken\.$/)]);
  });
});

test("an empty database and one that does not answer are told, and nothing is made in the first", async () => {
  const empty = await createEmptyDatabase();
  const { lines } = await doctor({ DATABASE_URL: empty.url });
  expect(lines).toContainEqual(
    expect.stringMatching(/^BROKEN database The database is empty\. → npm start fills it\./),
  );
  const { rows } = await empty.owner.query("select from pg_namespace where nspname in ('auth', 'supabase_migrations')");
  expect(rows).toEqual([]);

  const { lines: away } = await doctor({ DATABASE_URL: "postgres://owner:secret@127.0.0.1:9/site" });
  expect(away).toContainEqual(
    expect.stringMatching(
      /^BROKEN database The database was not checked\. The PostgreSQL of DATABASE_URL cannot be used: .*REFUSED/,
    ),
  );
  expect(away.join("\n")).not.toContain("secret");
});

test("the database of a hosted project is checked by its migrations, and its accounts stay the project's", async () => {
  const database = await createEmptyDatabase();
  await database.owner.query(hostedSchema);
  const environment = { DATABASE_URL: database.url, PUBLIC_SUPABASE_URL: "http://127.0.0.1:9" };
  const { lines, err } = await doctor(environment);
  expect(err).toContain(`Database: ${database.url.split("/").at(-1)} on `);
  expect(lines).toContainEqual(
    expect.stringMatching(/^BROKEN database The database is empty\. → npx supabase db push fills it\./),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^BROKEN access The project at http:\/\/127\.0\.0\.1:9 answers nothing/),
  );
  await migrate(database.owner, silentLog);
  const { lines: migrated } = await doctor(environment);
  expect(migrated).toContain("ok database All migrations are applied and match this code.");
  expect(migrated.filter((line) => / (people|backup) /.test(line))).toEqual([]);
});

test("the embedded database is checked while a server runs on it, and otherwise what needs no database", async () => {
  const dataDir = join(folder, "data");
  await copyDataDir(inject("preparedDataDir"), dataDir);
  const away = await doctor({ DATA_DIR: dataDir });
  expect(away.err).toContain(`Database: the embedded PostgreSQL in ${dataDir}`);
  expect(away.lines).toContain(
    `BROKEN database The database was not checked. No server is running on ${dataDir}: start it with npm start. → Then run the doctor again for the rest.`,
  );
  expect(away.lines.filter((line) => / (access|people) /.test(line))).toEqual([]);
  expect(away.lines).toContainEqual(expect.stringMatching(/^ok machine The disk of DATA_DIR/));

  const { close } = await openDatabase({ dataDir }, silentLog);
  // Before the folder is removed.
  const { lines } = await doctor({ DATA_DIR: dataDir }).finally(close);
  expect(lines.filter((line) => / (database|access) /.test(line) && !line.startsWith("ok"))).toEqual([]);
  expect(lines).toContainEqual(expect.stringMatching(/^ok database PostgreSQL \S+; a commit survives a power cut\./));
});

test("a data folder without a database is told, and is not made", async () => {
  const dataDir = join(folder, "elsewhere");
  const { code, lines } = await doctor({ DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(lines).toContainEqual(
    expect.stringMatching(`^BROKEN database The database was not checked\\. There is no site database in ${dataDir}: `),
  );
  expect(existsSync(dataDir)).toBe(false);
  // The worst come last, with their number.
  const levels = lines.flatMap((line) => /^(ok|look|BROKEN)/.exec(line)?.[0] ?? []);
  expect([...new Set(levels)]).toEqual(["ok", "look", "BROKEN"]);
  expect(lines.at(-1)).toMatch(/^\d+ ok, \d+ to look at, \d+ BROKEN\.$/);
});

test("a mail server, an address and a backup that do not work are told in one run", async () => {
  const smtp = await startSmtp();
  // Another site answers at the address.
  const other = Fastify();
  onTestFinished(() => other.close());
  const address = await other.listen({ host: "127.0.0.1", port: 0 });
  await writeFile(join(folder, backupName(new Date(Date.now() - 5 * 24 * 60 * 60 * 1000))), "");

  const { lines } = await doctor({
    DATA_DIR: folder,
    SMTP_URL: smtp.url.replace("//", "//user:secret@"),
    MAIL_FROM: "Heron <hello@heron.test>",
    SITE_URL: address,
    BACKUP_DIR: folder,
    CONTACT_MONTHS: "1",
  });
  const broken = [
    /^BROKEN mail (The mail server 127|SMTP_URL)/,
    /^BROKEN mail MAIL_FROM is hello@heron\.test, at a reserved domain/,
    /^BROKEN address http:\S+ leads elsewhere: \/healthz there answers 404/,
    /^BROKEN backup The newest backup is 5 days old\./,
    /^look backup BACKUP_DIR is on the same disk as DATA_DIR/,
    new RegExp(`^look content The privacy policy promises ${retention.contactMonths}, and CONTACT_MONTHS is 1\\.`),
    /^look content \d+ texts in content\/ as shipped, such as content\//,
    /^look mail NOTIFY_TO is empty/,
  ];
  for (const line of broken) expect(lines).toContainEqual(expect.stringMatching(line));
  expect(lines.join("\n")).not.toContain("secret");
  expect(smtp.received).toEqual([]);
});

test("settings that cannot be used are told, and nothing else is checked", async () => {
  const { code, lines } = await doctor({ DATABASE_URL: "mysql://127.0.0.1/site", SITE_URL: "heron.com" });
  expect(code).toBe(1);
  expect(lines.slice(0, -2)).toEqual([
    expect.stringMatching(/^BROKEN settings SITE_URL: /),
    expect.stringMatching(/^BROKEN settings DATABASE_URL: .* Correct it and run the doctor again: /),
  ]);
});

test("an unknown option prints how the command is used", async () => {
  const { code, err } = await doctor({}, { args: "--everything" });
  expect(code).toBe(1);
  expect(err).toMatch(/^Usage:\n {2}npm run doctor\n +checks the set-up/);
});
