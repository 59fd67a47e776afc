import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findUnaccepted, runBadRequests } from "../../bench/attack/bad-requests.ts";
import { badRequests, sendRaw } from "../../bench/attack/requests.ts";
import { readSurface, type Surface } from "../../bench/attack/surface.ts";
import { changedRows, readRows } from "../../bench/attack/target.ts";
import { reportContacts } from "../../bench/load/deliveries.ts";
import { createDatabase, createUser, type TestDatabase } from "../support/database.ts";
import { fc } from "../support/property.ts";

let database: TestDatabase;
let surface: Surface;
beforeAll(async () => {
  database = await createDatabase();
  surface = await readSurface(database.owner);
});
afterAll(() => database.drop());

describe("the bad requests", () => {
  test("go to every route of the app, every table and every function", () => {
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

  test.each([
    [
      "answers 500",
      (response: ServerResponse) => response.writeHead(500).end(),
      /^status 500: .* --seed \d+ --path [\d:]+/,
    ],
    [
      "shows a contact",
      (response: ServerResponse) => response.end("visitor-1@seeded.example"),
      /^an answer with contacts/,
    ],
  ])("find a server that %s", async (_name, answer, problem) => {
    const url = await listen((request, response) =>
      request.url?.startsWith("/auth/v1/token?")
        ? response.end(JSON.stringify({ access_token: "a.b.c" }))
        : answer(response),
    );
    const tally = await runBadRequests({ urls: [url], database: database.owner }, surface, { count: 40, seed: 1 });
    expect(tally.problems[0]).toMatch(problem);
  });
});

test("a server that does not answer counts as hung", async () => {
  const url = await listen(() => {});
  const draft = { method: "GET", path: "/", query: "", headers: {}, body: Buffer.of() };
  expect(await sendRaw(url, draft, 0.05)).toEqual({ status: 0, isHung: true, text: "" });
});

test("a contact of a refused request is found", () => {
  const stored = ["Visitor attack-1 Works", "Visitor attack-2 Works", "Ada Engines"];
  expect(findUnaccepted(stored, new Set(["attack-1"]))).toHaveLength(2);
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

test("a contact that a visitor sends in the admin's name is no changed row, and a deleted contact is one", async () => {
  const { owner } = database;
  const send = (email: string) =>
    owner.query(
      "insert into public.contacts (name, company, email, interest) values ('i1x', 'Works', $1, 'consulting') returning id",
      [email],
    );
  const seeded = await send("visitor-1@seeded.example");
  const before = await readRows(owner);
  await send("ADMIN@SEEDED.EXAMPLE ");
  expect(changedRows(before, await readRows(owner))).toEqual([]);

  await owner.query("delete from public.contacts where email like 'visitor-%'");
  expect(changedRows(before, await readRows(owner))).toEqual([`contact ${seeded.rows[0].id}`]);
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

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
