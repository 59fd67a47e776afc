import { afterAll, expect, test } from "vitest";
import { createDatabase, createUser } from "#tests/support/database";
import { fc } from "#tests/support/seeded-fast-check";
import { reportContacts } from "../load/deliveries.ts";
import { badRequests } from "./requests.ts";
import { readSurface } from "./surface.ts";
import { changedRows, readRows } from "./target.ts";

const database = await createDatabase();
const surface = await readSurface(database.owner);
afterAll(() => database.drop());

test("the bad requests go to every route of the app, every table and every function", () => {
  expect(surface.routes).toEqual(
    expect.arrayContaining([
      { method: "POST", url: "/auth/v1/token" },
      { method: "POST", url: "/rest/v1/*" },
      { method: "PATCH", url: "/rest/v1/*" },
      { method: "DELETE", url: "/rest/v1/*" },
      { method: "POST", url: "/contact" },
      { method: "GET", url: "/dev/mail.json" },
    ]),
  );
  const relations = ["contacts", "contacts_per_week", "user_roles", "rpc/has_role"];
  expect([...surface.relations.keys()]).toEqual(expect.arrayContaining(relations));
  const requests = fc.sample(badRequests(surface), { seed: 1, numRuns: 3000 });
  expect(new Set(requests.map(({ route }) => route))).toEqual(new Set(surface.routes));
  const paths = new Set(requests.map(({ description }) => description.split(" ")[1]));
  for (const name of surface.relations.keys()) expect(paths).toContain(`/rest/v1/${name}`);
});

test("a new admin, a changed password and a dropped policy are found", async () => {
  const { owner } = database;
  const before = await readRows(owner);
  await createUser(database, { admin: true });
  await owner.query("insert into auth.users (email) values ('new@seeded.example')");
  await owner.query('drop policy "admins read contacts" on public.contacts');
  expect(changedRows(before, await readRows(owner)).map((name) => name.split(" ")[0])).toEqual(
    expect.arrayContaining(["role", "account", "policy"]),
  );
});

test("a lost, a doubled and an unannounced contact are counted, and a second mail that nothing explains", () => {
  const rows = ["a", "b", "b", "c"].map((name, index) => ({ id: String(index), email: `${name}@example.com` }));
  const mail = (contactId: string, isConfirmed = true) => ({ contactId, isConfirmed });
  const { mustBeZero, repeats } = reportContacts({
    acknowledged: new Set(["a", "b", "c", "lost"].map((name) => `${name}@example.com`)),
    rows,
    mails: [mail("0"), mail("0"), mail("1", false), mail("1"), mail("2"), mail("2")],
    interrupted: ["2"],
  });
  expect(mustBeZero).toEqual({ lost: 1, doubled: 1, "not announced": 1, "announced again, unexplained": 1 });
  expect(repeats).toEqual({ unconfirmed: 1, serverKilled: 1, unexplained: 1 });
});
