import { beforeEach, expect, test } from "vitest";
import { asCaller } from "#backend/database/as-caller";
import { createDatabase, createUser, service, visitor } from "../support/database.ts";
import { contactsMax, contactsOf, from, insertMany, office, tooMany } from "../support/send-contacts.ts";

const database = await createDatabase();
const { as, send, sendMany, sendList, age, storedInAll, storedAsSpam, countedInAll } = contactsOf(database);
beforeEach(() => database.owner.query("truncate contacts, private.contact_senders"));

test("past 300 contacts per hour from one IP address, contacts are refused and not stored", async () => {
  for (let sent = 0; sent < 300; sent += 20) await sendList(office, 20);
  expect([await storedInAll(), await storedAsSpam()]).toEqual([300, 270]);
  await expect(send(office)).rejects.toMatchObject(tooMany);
  await send("203.0.113.8");
  await age("1 hour");
  await send(office);
  expect([await storedInAll(), await storedAsSpam()]).toEqual([302, 270]);
});

test("with 5000 contacts of spam within a day, further spam is refused and other contacts are stored", async () => {
  await sendMany(contactsMax, office);
  await database.owner.query(`begin; set local session_replication_role = replica;
    insert into contacts (name, email, interest, spam_reason, submitted_at)
      select 'Spam', n || '@x.org', 'consulting', 'x', now() - interval '23 hours' from generate_series(1, 4999) n;
    commit`);
  await send(office);
  expect(await storedAsSpam()).toBe(5000);
  await expect(send(office)).rejects.toMatchObject(tooMany);
  await send("203.0.113.8");
  await database.owner.query("update contacts set submitted_at = submitted_at - interval '1 hour'");
  await send(office);
  expect([await storedInAll(), await storedAsSpam()]).toEqual([contactsMax + 5000 + 2, 5001]);
});

test("visitors and members send at most 20 contacts in one request", async () => {
  const member = await createUser(database);
  for (const { claims } of [{ claims: visitor }, member]) {
    const tooMany = as(claims, office, insertMany, [21]);
    await expect(tooMany).rejects.toMatchObject({
      code: "PT413",
      message: "One request may contain at most 20 contacts.",
    });
    expect(await storedInAll()).toBe(0);
  }
  const statements = asCaller(
    database.caller,
    visitor,
    async (db) => {
      for (const size of [20, 1]) await db.query(insertMany, [size]);
    },
    { request: from(office) },
  );
  await expect(statements).rejects.toMatchObject({ code: "PT413" });
  expect(await storedInAll()).toBe(0);
  await as(visitor, office, insertMany, [20]);
  expect(await storedInAll()).toBe(20);
});

test("the owner and a caller with a secret key send any number of contacts in one request", async () => {
  await as(service, office, insertMany, [1000]);
  await database.owner.query(insertMany, [1000]);
  expect([await storedInAll(), await storedAsSpam(), await countedInAll()]).toEqual([2000, 0, 0]);
});

test("two requests with the same email addresses in opposite orders cause no deadlock", async () => {
  const emails = Array.from({ length: 10 }, (_, n) => `colleague-${n}@example.com`);
  const all = "insert into contacts (name, email, interest) select 'Ada', unnest($1::text[]), 'consulting'";
  const both = [emails, emails.toReversed()].map((order) => as(visitor, office, all, [order]));
  await Promise.all(both);
  expect(await storedInAll()).toBe(10);
});

test("a request with several contacts does not wait long for an email address that another request has locked", async () => {
  const two = "insert into contacts (name, email, interest) select 'Ada', unnest($1::text[]), 'consulting'";
  await asCaller(
    database.caller,
    visitor,
    async (first) => {
      await first.query(two, [["ada@x.org"]]);
      // If this request waited for ada@x.org with a lock on grace@x.org, the next statement would be a deadlock.
      const crossed = as(visitor, "203.0.113.8", two, [["grace@x.org", "ada@x.org"]]);
      await expect(crossed).rejects.toMatchObject({ code: "PT429" });
      await first.query(two, [["grace@x.org"]]);
    },
    { request: from(office) },
  );
  expect(await storedInAll()).toBe(2);
});
