import { createServer, connect as dial } from "node:net";
import Fastify from "fastify";
import pg from "pg";
import { expect, test } from "vitest";
import { connect, separatePool } from "#backend/database/connections";
import { contactFormRoutes } from "#server/contact-form/contact-form-without-javascript";
import { createSaveContact } from "#server/contact-form/save-contact";
import { createFixtureTables } from "#tests/fixtures/fixture-tables";
import { startAuth } from "#tests/support/auth-server";
import { publicKey, startDataApi } from "#tests/support/data-api";
import { createDatabase } from "#tests/support/database";
import { listenOnLoopback } from "#tests/support/listen-on-loopback";
import { onFinished } from "#tests/support/on-finished";
import { silentLog } from "#tests/support/silent-log";

const database = await createDatabase();
await createFixtureTables(database.owner);

const send = (url: string, init: RequestInit = {}) =>
  fetch(`${url}/rest/v1/birds`, { ...init, headers: { apikey: publicKey, "content-type": "application/json" } });

test("while PostgreSQL is unavailable, requests are answered with 503 and Retry-After", async () => {
  const caller = new pg.Pool({ host: "127.0.0.1", port: 1, max: 1 });
  const api = await startDataApi({ caller });
  for (const init of [{}, { method: "POST", body: '{"id": 1, "name": "Heron"}' }]) {
    const answer = await send(api.url, init);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({ code: "PGRST001", details: null });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  }
  expect(api.failures).toHaveLength(2);
  await caller.end();
});

test("a request that loses its database connection gets 503, and the next request succeeds", async () => {
  await database.owner.query(
    `create function public.wait() returns void language sql volatile as $$ select pg_sleep(5) $$`,
  );
  const api = await startDataApi({ caller: database.caller });
  const waiting = api.client().rpc("wait");
  const answer = waiting.then((done) => done);
  await terminateSleeping();
  expect([(await answer).status, (await answer).error?.code]).toEqual([503, "57P01"]);
  expect((await api.last()).answered["retry-after"]).toBe("1");
  expect((await api.client().rpc("noargs")).data).toBe("nothing asked");
});

test("a contact sent to the data API is stored once if PostgreSQL's reply to its commit is lost", async () => {
  // PostgreSQL sends this name of a column after the commit, because all of the transaction is one round trip.
  const lossy = await connectLosing("returned");
  const api = await startDataApi({ caller: lossy.caller });
  const contact = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };
  expect((await api.client().from("contacts").insert(contact)).status).toBe(201);
  expect(lossy.lost()).toBe(1);
  expect((await database.owner.query("select from contacts where email = $1", [contact.email])).rowCount).toBe(1);
});

test("a contact sent to POST /contact is stored once if PostgreSQL's reply to its commit is lost", async () => {
  const lossy = await connectLosing("INSERT 0 1");
  const app = Fastify();
  const saveContact = createSaveContact(lossy.caller);
  app.register(contactFormRoutes, { assets: new Map(), siteUrl: "https://site.example", saveContact });
  const payload = { name: "Bob", company: "Boats", email: "bob@example.com", interest: "consulting" };
  const answer = await app.inject({
    method: "POST",
    url: "/contact",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
    payload: new URLSearchParams(payload).toString(),
  });
  expect([answer.statusCode, lossy.lost()]).toEqual([303, 1]);
  expect((await database.owner.query("select from contacts where email = $1", [payload.email])).rowCount).toBe(1);
  await app.close();
});

test("a read is repeated if PostgreSQL's reply is lost; an insert, an update and a delete are not, and none is a success", async () => {
  const lossy = await connectLosing("returned");
  const api = await startDataApi({ caller: lossy.caller });
  const birds = () => api.client().from("birds");
  const read = await birds().select("id");
  expect([read.status, lossy.lost()]).toEqual([200, 1]);
  const changes = [
    birds().insert({ id: 77, name: "Heron" }),
    birds().update({ wingspan: 1 }).eq("id", 77).select().single(),
    birds().delete().eq("id", 77),
  ];
  for (const change of changes) {
    lossy.loseAgain("COMMIT");
    const { status, error } = await change;
    expect([status, error?.code]).toEqual([503, "PGRST001"]);
  }
  expect(lossy.lost()).toBe(4);
  const { rows } = await database.owner.query("select wingspan from birds where id = 77");
  expect(rows).toEqual([{ wingspan: "1.00" }]);
});

test("an insert that loses a deadlock is run again", async () => {
  const other = await database.owner.connect();
  const api = await startDataApi({ caller: database.caller });
  try {
    // PostgreSQL ends the transaction that looks for a deadlock first. The request looks after one second.
    await other.query("set deadlock_timeout = '10s'");
    const insert = (id: number) => other.query("insert into birds (id, name) values ($1, 'Wren')", [id]);
    await other.query("begin");
    await insert(802);
    // Each transaction waits for the other to give up a primary key.
    const list = [801, 802, 803].map((id) => ({ id, name: "Robin" }));
    const sending = api.client().from("birds").insert(list);
    const sent = sending.then((answer) => answer);
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'";
    await expect.poll(async () => (await database.owner.query(waiting)).rowCount, { interval: 20 }).toBe(1);
    await insert(801);
    await other.query("rollback");
    expect(await sent).toMatchObject({ status: 201, error: null });
    const stored = "select from birds where id > 800 and name = 'Robin'";
    expect((await database.owner.query(stored)).rowCount).toBe(3);
    expect(api.failures).toEqual([]);
  } finally {
    other.release(true);
  }
});

test.each([
  ["40P01", 503, "1"],
  ["XX000", 500, null],
])("the message of SQLSTATE %s is logged, not sent", async (sqlstate, status, retryAfter) => {
  await database.owner.query(
    `create or replace function public.fail(sqlstate text) returns void language plpgsql as $$ begin
       raise exception 'secret message' using errcode = sqlstate, detail = 'secret detail', hint = 'secret hint';
     end $$`,
  );
  const api = await startDataApi({ caller: database.caller });
  const answer = await fetch(`${api.url}/rest/v1/rpc/fail`, {
    method: "POST",
    headers: { apikey: publicKey, "content-type": "application/json" },
    body: JSON.stringify({ sqlstate }),
  });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([status, retryAfter]);
  const body = await answer.json();
  expect(body).toMatchObject({ code: sqlstate, details: null, hint: null });
  expect(JSON.stringify(body)).not.toContain("secret");
  expect(JSON.stringify(api.failures)).toContain("secret message");
});

test("while PostgreSQL is read-only, writes get 503; afterwards no connection stays read-only", async () => {
  const server = await startAuth();
  const { owner } = server.database;
  const headers = { apikey: publicKey };
  const contact = { name: "Cy", company: "Crow", email: "cy@example.com", interest: "consulting" };
  const insert = () => server.app.inject({ method: "POST", url: "/rest/v1/contacts", headers, payload: contact });
  const signUp = () => {
    const payload = { email: "cy@example.com", password: "four unrelated garden birds" };
    return server.app.inject({ method: "POST", url: "/auth/v1/signup", headers, payload });
  };

  await owner.query(setReadOnly("on"));
  await owner.query(endOthers);
  // The connection that has changed the setting is still writable.
  const writable = await owner.connect();
  for (const answer of [await insert(), await signUp()]) {
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "1"]);
  }
  expect(server.failures).toMatchObject([{ msg: readOnly }, { msg: readOnly }]);
  await writable.query(setReadOnly("off"));
  writable.release();
  expect((await insert()).statusCode).toBe(201);
  expect((await signUp()).statusCode).toBe(200);
});

test("an SQL statement that takes too long is stopped, and the request gets status 504", async () => {
  await database.owner.query(
    `create function public.wait_long() returns void language sql volatile as $$ select pg_sleep(9) $$`,
  );
  const api = await startDataApi({ caller: database.caller });
  const { status, error } = await api.client().rpc("wait_long");
  expect([status, error?.code]).toEqual([504, "57014"]);
});

test("a request that gets no database connection in time is answered with 504", async () => {
  const caller = separatePool(database.caller, { max: 1, connectionTimeoutMillis: 1000 });
  const held = await caller.connect();
  const api = await startDataApi({ caller });
  const answer = await send(api.url);
  expect([answer.status, (await answer.json()).code]).toEqual([504, "PGRST003"]);
  held.release();
  await caller.end();
});

test("an unexpected error gets status 500 and a generic message, and is logged once", async () => {
  const broken = {
    connect() {
      throw new TypeError("a secret of the inside");
    },
  } as unknown as pg.Pool;
  const api = await startDataApi({ caller: broken });
  const answer = await send(api.url);
  expect([answer.status, await answer.json()]).toEqual([
    500,
    {
      code: "PGRSTX00",
      message: "Something went wrong on our side. Please try again in a moment.",
      details: null,
      hint: null,
    },
  ]);
  expect(api.failures).toHaveLength(1);
});

/**
 * Connects to the same database through a proxy. When PostgreSQL first sends an answer that contains `text`, the proxy
 * closes the connection instead of passing the answer on.
 */
async function connectLosing(text: string) {
  const { host, port } = database.connection;
  let lost = 0;
  let isLosing = true;
  const proxy = createServer((client) => {
    const upstream = dial(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    client.on("data", (chunk) => upstream.write(chunk));
    upstream.on("data", (chunk) => {
      if (!isLosing || !chunk.toString("latin1").includes(text)) return void client.write(chunk);
      lost += 1;
      isLosing = false;
      client.destroy();
    });
    client.on("close", () => upstream.destroy());
    upstream.on("error", () => {}).on("close", () => client.destroy());
  });
  const proxyPort = await listenOnLoopback(proxy);
  const connections = connect({ ...database.connection, host: "127.0.0.1", port: proxyPort }, silentLog);
  onFinished(connections.close);
  return {
    caller: connections.caller,
    lost: () => lost,
    loseAgain(next: string) {
      text = next;
      isLosing = true;
    },
  };
}

const readOnly = expect.stringContaining("read-only");

const setReadOnly = (state: "on" | "off") => `do $$ begin
  execute format('alter database %I set default_transaction_read_only = ${state}', current_database()); end $$`;

const endOthers = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** Terminates the database connection that runs `pg_sleep`, as soon as there is one. */
async function terminateSleeping() {
  for (;;) {
    const { rowCount } = await database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`,
    );
    if (rowCount) return;
  }
}
