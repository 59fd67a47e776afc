import type { ClientBase } from "pg";
import { beforeEach, expect, test } from "vitest";
import { asCaller } from "#backend/database/as-caller";
import { waitSeconds } from "#validation/contact";
import { createDatabase, service, visitor } from "../support/database.ts";

const database = await createDatabase();
beforeEach(() => database.owner.query("delete from contacts"));

const ada = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };
const tooFast = { code: "PT429" };

test("during the waiting time a different contact of an address is refused, and the same one is stored once", async () => {
  // Another network is that of a retry after switching to mobile data.
  for (const address of [undefined, "203.0.113.7", "198.51.100.7"]) await send(ada, address);
  await send({ ...ada, name: " Ada\n", email: "ADA@example.com" });
  for (const change of [{ name: "Grace" }, { company: "Compilers" }, { interest: "partnerships" }])
    await expect(send({ ...ada, ...change })).rejects.toMatchObject(tooFast);
  await send(ada);
  expect(await storedInAll()).toBe(1);
});

test("the waiting time holds with invisible characters beside the address and divided accents in it", async () => {
  await send({ ...ada, email: "ada@münchen.example" });
  for (const email of ["ADA@mu\u0308nchen.example", "\u200bada@münchen.example\u2060"]) {
    await send({ ...ada, email });
    await expect(send({ ...ada, name: "Grace", email })).rejects.toMatchObject(tooFast);
  }
  expect(await storedInAll()).toBe(1);
});

test("a contact from another email address is stored without a waiting time", async () => {
  await send(ada);
  await send({ ...ada, email: "grace@example.com" });
  expect(await storedInAll()).toBe(2);
});

test("a stranger's contact in another person's name does not make that person wait", async () => {
  for (const stranger of ["203.0.113.66", "2001:db8:0:66::1"]) await send({ ...ada, name: stranger }, stranger);
  await send(ada, "203.0.113.7");
  await send({ ...ada, name: "Ada L." });
  await send({ ...ada, name: "A. L." }, "2001:db8:0:7::1");
  expect(await storedInAll()).toBe(5);
});

test("the waiting time holds for one IPv4 address, and for all addresses of one IPv6 /64 network", async () => {
  for (const [first, second] of [
    ["203.0.113.7", "::ffff:203.0.113.7"],
    ["2001:db8::1", "2001:db8::2"],
  ] as const) {
    await send({ ...ada, name: first }, first);
    await expect(send({ ...ada, name: "Grace" }, second)).rejects.toMatchObject(tooFast);
  }
});

test("after the waiting time, and not a second earlier, a different contact or the same contact is stored", async () => {
  await send(ada);
  await age(waitSeconds - 1);
  await expect(send({ ...ada, name: "Grace" })).rejects.toMatchObject(tooFast);
  await age(1);
  await send({ ...ada, name: "Grace" });
  await age(waitSeconds);
  await send(ada);
  expect(await storedInAll()).toBe(3);
});

test("of ten different contacts sent at the same time, one is stored and nine are refused", async () => {
  const answers = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => send({ ...ada, name: `Ada ${n}` })));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const answer of answers) if (answer.status === "rejected") expect(answer.reason).toMatchObject(tooFast);
  expect(await storedInAll()).toBe(1);
});

test("ten equal contacts sent at the same time all succeed, but only one is stored", async () => {
  await Promise.all(Array.from({ length: 10 }, () => send(ada)));
  expect(await storedInAll()).toBe(1);
});

test("two different contacts with one email address in one statement are both refused", async () => {
  const both = `insert into contacts (name, company, email, interest)
    values ('Ada', 'Engines', 'ada@x.org', 'consulting'), ('Grace', 'Engines', 'ada@x.org', 'consulting')`;
  await expect(database.as(visitor, (db) => db.query(both))).rejects.toMatchObject(tooFast);
  expect(await storedInAll()).toBe(0);
});

test("a different contact is refused, even if its database transaction began first", async () => {
  await database.as(visitor, async (early) => {
    await early.query("select now()");
    await send(ada);
    await expect(insert(early, { ...ada, name: "Grace" })).rejects.toMatchObject(tooFast);
    await early.query("rollback");
    await early.query("begin");
  });
});

test("the waiting time between imported contacts is measured by submitted_at", async () => {
  const past =
    "insert into contacts (name, email, interest, submitted_at) values ('Ada', 'ada@x.org', 'consulting', $1)";
  await database.as(service, async (db) => {
    await db.query(past, ["2025-11-20T10:00:00Z"]);
    await db.query(past, ["2025-11-20T10:01:00Z"]);
  });
  expect(await storedInAll()).toBe(2);
});

/** Without an address, the sender is unknown. */
function send(contact: typeof ada, address?: string) {
  const headers: Record<string, string> = address ? { "x-forwarded-for": address } : {};
  return asCaller(database.caller, visitor, (db) => insert(db, contact), {
    request: { method: "POST", path: "/contacts", headers },
  });
}

function insert(db: ClientBase, { name, company, email, interest }: typeof ada) {
  const sql = "insert into contacts (name, company, email, interest) values ($1, $2, $3, $4)";
  return db.query(sql, [name, company, email, interest]);
}

/** Makes every stored contact older. */
function age(seconds: number) {
  return database.owner.query("update contacts set submitted_at = submitted_at - make_interval(secs => $1)", [seconds]);
}

async function storedInAll(): Promise<number> {
  return (await database.owner.query("select from contacts")).rowCount ?? 0;
}
