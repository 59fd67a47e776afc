import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { holdings } from "#operations/commands/admin/personal-data";
import { migrate } from "#server/database";
import { startAuth } from "#tests/support/auth-server";
import { createDatabase, createEmptyDatabase, hostedSchema } from "#tests/support/database";
import { livedInAccount } from "#tests/support/lived-in-account";
import { admin } from "#tests/support/run-command";
import { silentLog } from "#tests/support/silent-log";
import { temporaryFolder } from "#tests/support/temporary-folder";

const server = await startAuth({ limitsAreOn: true });
// The counts of one test would limit the next.
beforeEach(async () => {
  await rowsOf("delete from auth.rate_limits");
  await rowsOf("delete from private.contact_senders");
  await rowsOf("delete from private.jobs");
});

const run = (line: string) => admin(line, { environment: { DATABASE_URL: server.database.url } });
const livedIn = (local: string) => livedInAccount(server, run, local);
const rowsOf = async (sql: string, ...values: unknown[]) => (await server.database.owner.query(sql, values)).rows;

/** Returns the tables of the whole database, in which a row contains one of these texts. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const tables = await rowsOf(
    `select oid::regclass::text as name from pg_class
     where relkind in ('r', 'm') and relnamespace <> 'pg_toast'::regnamespace and oid <> 'pg_statistic'::regclass`,
  );
  // `offset 0` keeps PostgreSQL from writing out each row once for each text.
  const search = ({ name }: { name: string }) =>
    `select '${name}' as name where exists (select from (select lower(t::text) as row from ${name} t offset 0) r
       where row like any ($1))`;
  const patterns = texts.map((text) => `%${text.toLowerCase()}%`);
  return (await rowsOf(tables.map(search).join(" union all "), patterns)).map(({ name }) => name);
}

async function columnsOf(table: string): Promise<string[]> {
  const rows = await rowsOf(
    "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0",
    table,
  );
  return rows.map(({ name }) => name).sort();
}

test("`npm run admin -- export` writes everything on an address, and no secret and no data of others", async () => {
  const boss = await server.member();
  const { email, otherId, user } = await livedIn("numbat.export");
  await rowsOf(
    `insert into auth.audit_log_entries (payload, created_at) values (jsonb_build_object('action', 'role_granted',
       'actor_id', $1::text, 'actor_username', $2::text, 'traits', jsonb_build_object('user_id', $3::text)), now())`,
    boss.user.id,
    boss.email,
    user.id,
  );
  await rowsOf("insert into user_roles values ($1, 'admin')", boss.user.id);
  const worked = "handled_by = $1, read_by = $1, read_at = now(), note_by = $1, note_at = now()";
  await rowsOf(`update contacts set ${worked} where email = $2`, boss.user.id, email);
  const workTime = "2026-01-01T00:00:00.000Z";
  const { code, out } = await run(`export ${email.toUpperCase()}`);
  expect(code).toBe(0);
  const data = JSON.parse(out);
  expect(data).toMatchObject({
    email,
    account: { id: user.id, email, raw_user_meta_data: { nickname: "numbat.export" } },
    roles: [{ role: "admin" }],
    mailed_links: [{ purpose: "recovery" }],
    second_factors: [{ friendly_name: "Phone", status: "verified" }],
    recovery_codes: Array(10).fill({ user_id: user.id, created_at: expect.any(String) }),
    handled_contacts: [{ id: otherId, handled_by_since: workTime, read_at: workTime, note_at: workTime }],
    named_in_contacts: [{ id: otherId, named_in: "note" }],
    waiting_jobs: expect.arrayContaining([
      expect.objectContaining({ task: "account-mail", kind: "already-registered" }),
    ]),
    not_included: expect.arrayContaining([expect.stringContaining("backups")]),
  });
  expect(data.contacts.map(({ state, note }: Record<string, string>) => [state, note])).toEqual([
    ["deleted", ""],
    ["spam", ""],
    ["archived", ""],
    ["handled", "Call back"],
    ["new", ""],
  ]);
  // A new column must be exported, or be named as withheld.
  const contact = [...Object.keys(data.contacts[0]), ...holdings.contacts.hides];
  expect(contact.sort()).toEqual(await columnsOf("public.contacts"));
  const account = [...Object.keys(data.account), ...holdings.account.hides];
  expect(account.sort()).toEqual(await columnsOf("auth.users"));
  expect(data.sessions.length).toBeGreaterThan(1);
  const actions = new Set(data.log.map(({ action }: { action: string }) => action));
  for (const action of ["login", "login_failed", "user_deleted", "user_updated_password", "factor_verified"])
    expect(actions).toContain(action);
  expect(data.log_of_others.length).toBeGreaterThan(0);

  const secrets = await rowsOf(
    `select encrypted_password as secret from auth.users where encrypted_password is not null
     union select code_hash from auth.one_time_tokens union select encode(token_hash, 'hex') from auth.one_time_tokens
     union select secret from auth.mfa_factors union select encode(code_hash, 'hex') from auth.mfa_recovery_codes
     union select encode(token_hash, 'hex') from auth.refresh_tokens union select encode(family_hash, 'hex') from auth.sessions`,
  );
  expect(secrets.length).toBeGreaterThan(5);
  for (const { secret } of secrets) expect(out).not.toContain(secret);
  expect(out).not.toContain("$argon2");
  for (const private_ of [boss.email, boss.user.id, "Knows "]) expect(out).not.toContain(private_);
});

test("`npm run admin -- export --output` makes a file that only its owner reads, and overwrites none", async () => {
  const { email } = await server.member();
  const file = join(await temporaryFolder(), "export.json");
  expect(await run(`export ${email} --output ${file}`)).toMatchObject({ code: 0, err: "" });
  const written = await readFile(file, "utf8");
  expect(JSON.parse(written)).toMatchObject({ email, account: { email } });
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(await run(`export other@example.com --output ${file}`)).toEqual({
    code: 1,
    out: "",
    err: `${file} already exists.`,
  });
  expect(await readFile(file, "utf8")).toBe(written);
});

test("`npm run admin -- erase` also removes the address that the account had before", async () => {
  const { email, user } = await server.member("kakapo.former@example.com");
  await run(`grant ${email}`);
  await rowsOf("delete from private.jobs");
  await rowsOf("update auth.users set email = 'renamed@example.com' where id = $1", user.id);
  expect(await tablesWith(["kakapo.former"])).not.toEqual([]);
  expect((await run("erase renamed@example.com --yes --last-admin")).code).toBe(0);
  expect(await tablesWith(["kakapo.former", "renamed@example.com"])).toEqual([]);
});

test("after `npm run admin -- erase`, no table of the database contains the address, its name or its ids", async () => {
  const boss = await server.memberBySignUp();
  await run(`grant ${boss.email}`);
  await rowsOf("delete from auth.rate_limits");
  const { email, otherId, ids, client } = await livedIn("quokka.erase");
  // Another account wants this address.
  await rowsOf("update auth.users set email_change = $1 where email = $2", email, boss.email);
  const token = (await client.auth.getSession()).data.session?.access_token ?? "";
  const names = ["quokka.erase", ...ids];
  const before = await tablesWith(names);
  expect(before).toEqual(
    expect.arrayContaining(
      ["contacts", "auth.users", "auth.sessions", "auth.audit_log_entries", "private.jobs"].map((name) =>
        expect.stringContaining(name),
      ),
    ),
  );

  const asked = await run(`erase ${email}`);
  expect([asked.code, asked.err]).toEqual([1, expect.stringMatching(/contacts: 5\n[\s\S]*Nothing was changed/)]);
  expect(await tablesWith(names)).toEqual(before);

  const { code, out, err } = await run(`erase ${email} --yes`);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/a search of every table no longer finds quokka\.erase@example\.com\.\nNot deleted:\n +backups/);
  // The address of the other contact contains the erased one, and belongs to another person.
  const [other] = await rowsOf("select email, note, handled_by, read_by, note_by from contacts where id = $1", otherId);
  const note = `Knows (erased), and not.${email} too.`;
  expect(other).toEqual({ email: `not.${email}`, note, handled_by: null, read_by: null, note_by: null });
  await rowsOf("delete from contacts where id = $1", otherId);
  expect(await tablesWith(names)).toEqual([]);
  expect(await rowsOf("select from private.contact_senders")).toEqual([]);
  expect(await rowsOf("select from auth.rate_limits")).toEqual([]);
  expect((await run(`erase ${email}`)).out).toBe(`The database holds nothing about ${email}.`);

  // Requests with the old session and password bring nothing back.
  expect((await server.call("/auth/v1/user", { token })).status).toBe(403);
  expect((await client.auth.refreshSession()).error).not.toBeNull();
  expect((await server.client().auth.signInWithPassword({ email, password: "wrong" })).error).not.toBeNull();
  await server.client().auth.resetPasswordForEmail(email);
  await server.mails();
  expect(await tablesWith(names)).toEqual([]);

  // What others did stays: the operator's grant, and the other administrator.
  const lines = await rowsOf("select payload from auth.audit_log_entries where payload ->> 'action' = 'role_granted'");
  expect(lines.map(({ payload }) => payload.traits.user_email)).toEqual(
    expect.arrayContaining([boss.email, "(erased)"]),
  );
  expect((await run("list")).out).toContain(boss.email);
});

test("`npm run admin -- erase` is repeated after a deadlock with an administrator's change", async () => {
  const [{ id }] = await rowsOf(
    `insert into contacts (name, email, interest, note) values
       ('Ada', 'ada@crossing.example', 'consulting', ''),
       ('Grace', 'grace@crossing.example', 'consulting', 'Knows ada@crossing.example.') returning id, email`,
  ).then((rows) => rows.filter(({ email }) => email.startsWith("grace")));
  const change = await server.database.owner.connect();
  onTestFinished(() => change.release(true));
  // PostgreSQL ends the transaction that looks for a deadlock first, so the change looks late.
  await change.query("begin; set local deadlock_timeout = '1min'");
  await change.query("select from contacts where id = $1 for update", [id]);

  const erasure = run("erase ada@crossing.example --yes");
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await rowsOf(waiting)).length === 0) await pause(5);
  await change.query("update contacts set state = 'handled' where id = $1", [id]);
  await change.query("commit");

  expect(await erasure).toMatchObject({ code: 0, err: "" });
  expect(await rowsOf("select state, note from contacts where email like '%@crossing.example'")).toEqual([
    { state: "handled", note: "Knows (erased)." },
  ]);
});

test.each(["ada@bücher.example", "ADA@XN--BCHER-KVA.example", "\u200bada@bu\u0308cher.example\u2060"])(
  "`npm run admin -- export` and `erase` of %s find the person in each spelling",
  async (typed) => {
    const { user } = await server.member("ada@xn--bcher-kva.example");
    const spellings = ["ada@bücher.example", "ada@xn--bcher-kva.example", "ada\u200b@bücher.example\u2060"];
    // Rows that a restore of contacts brings from before a rule.
    await rowsOf('alter table contacts disable trigger "1 clean the contact"');
    for (const email of spellings)
      await rowsOf("insert into contacts (name, email, interest, note) values ('Ada', $1, 'consulting', $1)", email);
    await rowsOf('alter table contacts enable trigger "1 clean the contact"');
    await rowsOf(
      `insert into contacts (name, email, interest, note)
       values ('Ida', 'ida@other.example', 'consulting', 'Knows ada@xn--bcher-kva.example, that is ada@bücher.example.')`,
    );

    const exported = JSON.parse((await run(`export ${typed}`)).out);
    expect([exported.account.id, exported.contacts.length]).toEqual([user.id, 3]);
    expect((await run(`erase ${typed} --yes`)).out).toMatch(/contacts: 3\n[\s\S]*no longer finds/);
    expect(await tablesWith(["bcher-kva", "bücher"])).toEqual([]);
    expect(await rowsOf("delete from contacts where email = 'ida@other.example' returning note")).toEqual([
      { note: "Knows (erased), that is (erased)." },
    ]);
  },
);

test("`npm run admin -- grant` takes the form of a domain that the account has not", async () => {
  await server.member("grace@xn--mnchen-3ya.example");
  expect(await run("grant grace@münchen.example")).toMatchObject({ code: 0 });
  expect((await run("erase grace@münchen.example --yes --last-admin")).code).toBe(0);
});

test("`npm run admin -- delete` removes the account and its sessions; contacts and the log stay", async () => {
  const { email, password, user, session } = await server.member();
  await rowsOf("insert into contacts (name, email, interest) values ('Ida', $1, 'consulting')", email);
  expect((await run(`delete ${email}`)).err).toMatch(/^The account of .* with its sessions \(1\)\. [\s\S]*--yes$/);
  expect(await run(`delete ${email} --yes`)).toEqual({ code: 0, out: `${email} has no account any more.`, err: "" });
  expect((await server.call("/auth/v1/user", { token: session.access_token })).status).toBe(403);
  const answer = await server.client().auth.signInWithPassword({ email, password });
  expect(answer.error?.code).toBe("invalid_credentials");
  expect(await rowsOf("select from contacts where email = $1", email)).toHaveLength(1);
  const lines = await rowsOf(
    "select payload -> 'traits' as traits from auth.audit_log_entries where payload ->> 'actor_id' = $1 and payload ->> 'action' = 'user_deleted'",
    user.id,
  );
  expect(lines).toEqual([{ traits: { by: "operator" } }]);
  expect((await run(`delete ${email} --yes`)).err).toMatch(/has no account\./);
});

test("the last administrator is deleted and erased only with --last-admin", async () => {
  await rowsOf("delete from user_roles");
  const { email } = await server.member();
  await run(`grant ${email}`);
  for (const command of ["delete", "erase"]) {
    expect(await run(`${command} ${email} --yes`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is the last administrator, .*--last-admin$/),
    });
  }
  expect((await run("list")).out).toBe(email);
  expect((await run(`erase ${email} --yes --last-admin`)).code).toBe(0);
  expect((await run("list")).out).toBe("No one can read the contacts yet.");
});

test.each(["export", "erase --yes"])("`npm run admin -- %s` outlasts the time limits of its login", async (line) => {
  const [name, ...options] = line.split(" ");
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const { owner, url } = database;
  const [{ db }] = (await owner.query("select current_database() as db")).rows;
  await owner.query(`alter database ${db} set statement_timeout = '1s'; alter database ${db} set lock_timeout = '1s'`);
  const holder = await owner.connect();
  await holder.query("begin; lock table contacts");
  const running = admin([name, "nobody@limits.example", ...options].join(" "), { environment: { DATABASE_URL: url } });
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await owner.query(waiting)).rowCount === 0) await pause(5);
  await pause(1500);
  await holder.query("rollback");
  holder.release();
  expect(await running).toMatchObject({ code: 0, err: "" });
});

test.each(["export nonsense", "erase @ --yes", "erase %@% --yes extra"])("`admin %s` is refused", async (line) => {
  expect(await run(line)).toMatchObject({ code: 1, out: "" });
});

test("on a hosted project, contacts are exported and erased, and the dashboard is named for the account", async () => {
  const database = await createEmptyDatabase();
  await database.owner.query(hostedSchema);
  const environment = { DATABASE_URL: database.url };
  await migrate(database.owner, silentLog);
  await database.owner.query(`insert into auth.users values (gen_random_uuid(), 'ida@example.com', now());
    insert into contacts (name, email, interest) values ('Ida', 'ida@example.com', 'consulting')`);
  const exported = JSON.parse((await admin("export ida@example.com", { environment })).out);
  expect(exported.contacts).toMatchObject([{ name: "Ida" }]);
  expect(exported.not_included).toContainEqual(expect.stringContaining("dashboard"));

  const { out } = await admin("erase ida@example.com --yes", { environment });
  expect(out).toMatch(/contacts: 1[\s\S]*no longer finds [\s\S]*dashboard/);
  expect((await database.owner.query("select from contacts")).rowCount).toBe(0);
  expect((await admin("delete ida@example.com --yes", { environment })).err).toMatch(
    /^These accounts belong to a hosted/,
  );
});
