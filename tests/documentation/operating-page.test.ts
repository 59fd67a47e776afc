import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { signatureHeaders } from "#server/webhook/webhook";
import { createDatabase, visitor } from "#tests/support/database";

const page = ["operating", "hosted-supabase"]
  .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8"))
  .join("\n");
const blocks = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = ""]) => sql);
const findSql = (word: string) => blocks.find((sql) => sql.includes(word)) ?? "";

const key = Buffer.from("twenty-four random bytes");
const contact = { name: "Zoë 🦉", company: "Heron & Sons", email: "zoe@example.com", interest: "consulting" };

test("the SQL in docs/operating.md about the second factor shows and changes the rule", async () => {
  const database = await createDatabase();
  const rule = () => database.owner.query(findSql("private.second_factor_rule"));
  expect(await rule()).toMatchObject([{ rows: [{ required: false }] }, {}]);
  expect(await rule()).toMatchObject([{ rows: [{ required: true }] }, {}]);
});

describe("the SQL trigger in docs/hosted-supabase.md", async () => {
  const database = await createDatabase();
  beforeAll(async () => {
    // Imitates two parts that only a hosted project has: the vault, and the extension pg_net, which sends the jsonb
    // body as text in UTF-8.
    await database.owner.query(`
      create schema vault;
      create table vault.decrypted_secrets (decrypted_secret text, name text);
      create function vault.create_secret(secret text, name text) returns void
        language sql as 'insert into vault.decrypted_secrets values ($1, $2)';
      create schema net;
      create table net.calls (url text, body text, headers jsonb);
      create function net.http_post(url text, body jsonb, params jsonb default '{}', headers jsonb default '{}',
        timeout_milliseconds int default 2000) returns bigint
        language sql as 'insert into net.calls values (url, body::text, headers) returning 1';`);
    const sql = findSql("private.call_webhook")
      .replace(/create extension .*pg_net.*;/, "")
      .replace("whsec_…", `whsec_${key.toString("base64")}`);
    await database.owner.query(sql);
  });

  const send = (more: Record<string, string> = {}) =>
    database.as(visitor, (db) =>
      db.query("insert into contacts (name, company, email, interest) values ($1, $2, $3, $4)", [
        ...Object.values({ ...contact, ...more }),
      ]),
    );

  test("sends the webhook call that the server would send, with a valid signature", async () => {
    await send();
    const { rows } = await database.owner.query("select * from net.calls");
    expect(rows).toEqual([expect.objectContaining({ url: "https://hooks.example/contacts" })]);
    const [{ body, headers }] = rows;
    const { type, timestamp, data } = JSON.parse(body);
    expect([type, data.submitted_at, data]).toEqual(["contact.created", timestamp, expect.objectContaining(contact)]);
    expect(Object.keys(data).sort()).toEqual(["company", "email", "id", "interest", "name", "submitted_at"]);
    const calledAt = new Date(headers["webhook-timestamp"] * 1000);
    expect(Date.now() - calledAt.getTime()).toBeLessThan(60_000);
    expect(headers).toMatchObject(JSON.parse(JSON.stringify(signatureHeaders(key, data.id, body, calledAt))));
  });

  test("sends the webhook call for spam that an administrator takes back, once", async () => {
    await database.owner.query("truncate net.calls");
    await database.owner.query(`
      insert into contacts (name, email, interest, spam_reason) values ('Ida', 'ida@example.com', 'consulting', 'x');
      update contacts set state = 'new' where email = 'ida@example.com';
      update contacts set state = 'spam' where email = 'ida@example.com';
      update contacts set state = 'new' where email = 'ida@example.com'`);
    expect((await database.owner.query("select from net.calls")).rowCount).toBe(1);
  });

  test("sends no webhook call for spam, and stores a contact even if the webhook call fails", async () => {
    await database.owner.query("truncate net.calls");
    await database.owner.query(
      "insert into contacts (name, email, interest, spam_reason) values ('Spam', 'spam@example.com', 'consulting', 'x')",
    );
    await database.owner.query("delete from vault.decrypted_secrets");
    await database.owner.query("alter table net.calls rename to gone");
    await send({ email: "kept@example.com" });
    const { rows } = await database.owner.query(
      "select (select count(*)::int from net.gone) as calls, count(*)::int as kept from contacts where email = 'kept@example.com'",
    );
    expect(rows).toEqual([{ calls: 0, kept: 1 }]);
  });
});

test("the import in docs/operating.md stores a contact and announces it to no one, and others as before", async () => {
  const database = await createDatabase();
  const add = "insert into contacts (name, email, interest) values ('Ida', 'ida@example.com', 'consulting')";
  await database.as(visitor, (db) => db.query(add));
  await database.owner.query(findSql("insert into public.contacts"));
  const { rows } = await database.owner.query("select email from contacts order by submitted_at");
  expect(rows).toEqual([{ email: "ada@example.com" }, { email: "ida@example.com" }]);
  expect((await database.owner.query("select from private.jobs")).rowCount).toBe(1);
});

test("the SQL in docs/operating.md for an erasure removes the id of that administrator alone", async () => {
  const database = await createDatabase();
  const [ada, bea] = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"];
  await database.owner.query(`
    insert into auth.users (id, email) values ('${ada}', 'ada@example.com'), ('${bea}', 'bea@example.com');
    insert into contacts (name, email, interest, handled_by, handled_by_since, read_by, read_at, note, note_by, note_at)
      select 'Ida', one || '@example.com', 'consulting', one, now(), other, now(), 'Called', one, now()
      from (values ('${ada}'::uuid, '${bea}'::uuid), ('${bea}', '${ada}')) people (one, other)`);
  await database.owner.query(findSql("nullif(handled_by"));
  const { rows } = await database.owner.query("select handled_by, read_by, note_by from contacts order by handled_by");
  expect(rows).toEqual([
    { handled_by: bea, read_by: null, note_by: bea },
    { handled_by: null, read_by: bea, note_by: null },
  ]);
});

test("the SQL in docs/hosted-supabase.md for pg_cron removes expired contacts each day", async () => {
  const database = await createDatabase();
  // Imitates the extension: it keeps the command, which the test then runs as PostgreSQL would at that time.
  await database.owner.query(`
    create schema cron;
    create table cron.job (name text, schedule text, command text);
    create function cron.schedule(name text, schedule text, command text) returns bigint
      language sql as 'insert into cron.job values (name, schedule, command) returning 1';
    insert into contacts (name, email, interest, submitted_at) values
      ('Old', 'old@example.com', 'consulting', now() - interval '25 months'),
      ('New', 'new@example.com', 'consulting', now())`);
  await database.owner.query(findSql("cron.schedule").replace(/create extension .*;/, ""));
  const jobs = (await database.owner.query("select schedule, command from cron.job")).rows;
  expect(jobs).toHaveLength(1);
  for (const { schedule, command } of jobs) {
    expect(schedule).toMatch(/^\d+ \d+ \* \* \*$/);
    await database.owner.query(command);
  }
  expect((await database.owner.query("select name from contacts")).rows).toEqual([{ name: "New" }]);
});
