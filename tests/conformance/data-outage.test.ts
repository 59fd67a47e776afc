import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { addBirds } from "#tests/support/birds";
import { publicKey, startDataApi } from "#tests/support/data-api";
import { createDatabase } from "#tests/support/database";

const database = await createDatabase();
await addBirds(database.owner);
afterAll(() => database.drop());

const ask = (url: string, init: RequestInit = {}) =>
  fetch(`${url}/rest/v1/birds`, { ...init, headers: { apikey: publicKey, "content-type": "application/json" } });

test("while PostgreSQL is away, callers are asked to come back", async () => {
  const caller = new pg.Pool({ host: "127.0.0.1", port: 1, max: 1 });
  const api = await startDataApi({ caller });
  for (const init of [{}, { method: "POST", body: '{"id": 1, "name": "Heron"}' }]) {
    const answer = await ask(api.url, init);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({ code: "PGRST001", details: null });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  }
  expect(api.failures).toHaveLength(2);
  await api.stop();
  await caller.end();
});

test("a connection that is cut in the middle of a statement is a 503, and the next caller is served", async () => {
  await database.owner.query(
    `create function public.wait() returns void language sql volatile as $$ select pg_sleep(5) $$`,
  );
  const api = await startDataApi({ caller: database.caller });
  const waiting = api.client().rpc("wait");
  const answer = waiting.then((done) => done);
  await cutWaiting();
  expect([(await answer).status, (await answer).error?.code]).toEqual([503, "57P01"]);
  expect((await api.last()).answered["retry-after"]).toBe("1");
  expect((await api.client().rpc("noargs")).data).toBe("nothing asked");
  await api.stop();
});

test("a statement that takes too long is stopped", async () => {
  await database.owner.query(
    `create function public.wait_long() returns void language sql volatile as $$ select pg_sleep(9) $$`,
  );
  const api = await startDataApi({ caller: database.caller });
  const { status, error } = await api.client().rpc("wait_long");
  expect([status, error?.code]).toEqual([500, "57014"]);
  await api.stop();
});

test("a pool that has no connection left is a 504", async () => {
  const { options } = database.caller;
  // The password does not take part in spreading: pg keeps it out of what is printed.
  const caller = new pg.Pool({ ...options, password: options.password, max: 1, connectionTimeoutMillis: 1000 });
  const held = await caller.connect();
  const api = await startDataApi({ caller });
  const answer = await ask(api.url);
  expect([answer.status, (await answer.json()).code]).toEqual([504, "PGRST003"]);
  held.release();
  await api.stop();
  await caller.end();
});

test("a mistake of ours is told in one plain sentence and logged once", async () => {
  const broken = {
    connect() {
      throw new TypeError("a secret of the inside");
    },
  } as unknown as pg.Pool;
  const api = await startDataApi({ caller: broken });
  const answer = await ask(api.url);
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
  await api.stop();
});

/** Ends the backend that sleeps, as soon as it does. */
async function cutWaiting() {
  for (;;) {
    const { rowCount } = await database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`,
    );
    if (rowCount) return;
  }
}
