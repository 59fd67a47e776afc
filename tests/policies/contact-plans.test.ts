import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { startAuth } from "../support/auth-server.ts";
import { insertOne } from "../support/send-contacts.ts";

const server = await startAuth({ autoconfirm: true });
const { database } = server;
const plans: string[] = [];

beforeAll(async () => {
  await database.owner.query(`begin; set local session_replication_role = replica;
    insert into contacts (name, email, interest, submitted_at, spam_reason, state)
      select case n % 4000 when 1 then 'Quyen' else 'Ada' end, n || '@x.org', 'consulting',
        now() - n * interval '5 minutes', case when n % 3 = 0 then 'x' end,
        case when n % 3 = 0 then 'spam' when n < 200 then 'new' when n % 10 = 1 then 'handled' else 'archived' end
      from generate_series(1, 20000) n;
    insert into private.contact_senders (address_hash, wide_network_hash, contact_id, stored_at)
      select sha256(n::text::bytea), sha256((n / 9)::text::bytea), gen_random_uuid(), now() - n * interval '0.2 seconds'
      from generate_series(1, 20000) n;
    commit`);
  // The chart counts without reading the table only what a vacuum has seen.
  for (const table of ["contacts", "private.contact_senders"]) await database.owner.query(`vacuum analyze ${table}`);
  // From now on PostgreSQL sends each plan that it has used as a notice.
  await database.owner.query(`do $$ begin
    execute format('alter database %I set session_preload_libraries = auto_explain', current_database());
    execute format('alter database %I set auto_explain.log_min_duration = 0', current_database());
    execute format('alter database %I set auto_explain.log_nested_statements = on', current_database());
    execute format('alter database %I set auto_explain.log_analyze = on', current_database());
    execute format('alter database %I set client_min_messages = log', current_database());
  end $$`);
  database.caller.on("connect", (client) => client.on("notice", ({ message = "" }) => plans.push(message)));
});

test("the rules of contacts find everything by an index among 20,000 contacts", async () => {
  const sender = new pg.Client(database.connection);
  sender.on("notice", ({ message = "" }) => plans.push(message));
  await sender.connect();

  await send(sender, "first@x.org", "Ada");
  await expect(send(sender, "first@x.org", "Grace")).rejects.toMatchObject({ code: "PT429" });
  // Makes the next contact spam, for which there is one more rule.
  await database.owner.query(`insert into private.contact_senders
    select s.* from private.contact_senders s join contacts c on c.id = s.contact_id, generate_series(1, 60)`);
  await send(sender, "spam@x.org", "Ada");
  await sender.end();

  expect(usedIndexes()).toEqual([
    "contact_senders_by_address",
    "contact_senders_by_age",
    "contact_senders_by_wide_network",
    "contacts_by_email",
    "contacts_spam",
  ]);
});

test("a function whose plans look expensive is not compiled for each contact", async () => {
  // PostgreSQL 18 no longer counts a forbidden scan as expensive, and many builds have no JIT, so the settings are compared.
  const { rows } = await database.owner.query(`select proname as name, proconfig @> array['jit=off'] as "withoutJit"
    from pg_proc where proconfig @> array['enable_seqscan=off']`);
  expect(rows).toEqual([{ name: "limit_contacts", withoutJit: true }]);
});

test("with 20,000 contacts, the lists of an administrator's inbox are read through an index", async () => {
  const client = server.client();
  const { data } = await client.auth.signUp({ email: "ada@example.com", password: "a password of hers" });
  const adminId = data.user?.id;
  await database.owner.query("insert into user_roles values ($1, 'admin')", [adminId]);
  await database.owner.query("update contacts set handled_by = $1 where name = 'Quyen'", [adminId]);
  await database.owner.query("vacuum analyze contacts");
  const list = () =>
    client.from("contacts").select("*").order("submitted_at", { ascending: false }).order("id").limit(50);
  const count = () => client.from("contacts").select("*", { count: "exact" }).limit(0);
  const inAll = ["new", "handled", "archived"];
  const { rows } = await database.owner.query(
    "select id, submitted_at::text as at from contacts where state <> 'spam' order by submitted_at offset 7000 limit 1",
  );
  const [{ id, at }] = rows;
  const calls = {
    "first page": () => list().in("state", inAll),
    "page in the middle": () =>
      list().in("state", inAll).lte("submitted_at", at).or(`submitted_at.lt."${at}",id.gt.${id}`),
    inbox: () => list().in("state", ["new", "handled"]),
    "filter by state": () => list().eq("state", "new"),
    "search for a frequent word": () => list().in("state", inAll).like("search_text", "%ada%"),
    "count of a state": () => count().eq("state", "new"),
    "administrator's own": () => list().in("state", inAll).eq("handled_by", adminId),
    "count of the administrator's own": () => count().in("state", inAll).eq("handled_by", adminId),
    "contacts from an address": () => list().eq("email", "7@x.org"),
    news: () => client.rpc("inbox_news"),
    chart: () => client.from("contacts_per_week").select("week, interest, contacts").order("week"),
    "change of a state": () => client.from("contacts").update({ state: "archived" }).in("id", [id]),
  };
  const used: Record<string, string[]> = {};
  for (const [name, call] of Object.entries(calls)) {
    plans.length = 0;
    expect((await call()).error, name).toBeNull();
    used[name] = usedIndexes();
  }
  expect(used).toEqual({
    "first page": ["contacts_newest_first"],
    "page in the middle": ["contacts_newest_first"],
    inbox: ["contacts_newest_first"],
    "filter by state": ["contacts_new"],
    "search for a frequent word": ["contacts_newest_first"],
    "count of a state": ["contacts_new"],
    "administrator's own": ["contacts_by_handler"],
    "count of the administrator's own": ["contacts_by_handler"],
    "contacts from an address": ["contacts_by_email"],
    news: ["contacts_new", "contacts_newest_first"],
    chart: ["contacts_newest_first"],
    "change of a state": ["contacts_pkey"],
  });
});

async function send(sender: pg.Client, email: string, name: string) {
  await sender.query("begin");
  try {
    const headers = JSON.stringify({ "x-forwarded-for": "2001:db8::1" });
    await sender.query("select set_config('role', 'anon', true), set_config('request.headers', $1, true)", [headers]);
    await sender.query(insertOne, [name, email]);
    await sender.query("commit");
  } catch (error) {
    await sender.query("rollback");
    throw error;
  }
}

/** The indexes of contacts and of their senders in the plans since the last call. No table may be read as a whole. */
function usedIndexes(): string[] {
  expect(plans.filter((plan) => /Seq Scan on contact(s|_senders) /.test(plan))).toEqual([]);
  const found = plans.flatMap((plan) => [...plan.matchAll(/(?:Index Scan on|Scan.* using) (contact\w+)/g)]);
  return [...new Set(found.map(([, name = ""]) => name))].sort();
}
