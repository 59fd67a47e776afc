import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { badRequests, findUnaccepted, runBadRequests } from "../../bench/attack/bad-requests.ts";
import { exchange } from "../../bench/attack/exchange.ts";
import { readSurface, type Surface } from "../../bench/attack/surface.ts";
import { changedRows, readRows, readStoredContacts } from "../../bench/attack/untouched-rows.ts";
import { createDatabase, createUser, type TestDatabase } from "../support/database.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const known = {
  tokens: ["a.b.c"],
  emails: ["admin@seeded.example"],
  factorIds: ["0"],
  password: "a long walk in the woods",
};

let database: TestDatabase;
let surface: Surface;
beforeAll(async () => {
  database = await createDatabase();
  surface = await readSurface(database.owner);
});
afterAll(() => database.drop());

test("a short `npm run attack` finds nothing", async () => {
  const args = ["bench/attack.ts", "--requests", "300", "--seed", "1", "--parts", "requests,tokens"];
  const { NODE_ENV: _, VITEST: __, ...environment } = process.env;
  const attack = spawn(process.execPath, args, { cwd: root, env: environment, stdio: ["ignore", "pipe", "inherit"] });
  // At this signal the program ends its servers and removes their files.
  onTestFinished(() => void attack.kill("SIGTERM"));
  const [printed, [code]] = await Promise.all([text(attack.stdout), once(attack, "exit")]);
  expect({ code, printed }).toEqual({
    code: 0,
    printed: expect.stringMatching(/forged tokens │ [1-9]\d\d.*Passed in/s),
  });
}, 120_000);

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
    expect([...surface.tables.keys(), ...surface.functions.keys()]).toEqual(
      expect.arrayContaining(["contacts", "contacts_per_week", "user_roles", "has_role"]),
    );
    const build = badRequests(1, surface, known);
    const attacked = new Set(Array.from({ length: 2 * surface.routes.length }, (_, index) => build(index).route));
    expect(attacked).toEqual(new Set(surface.routes));
  });

  test("are the same for the same seed", () => {
    const [one, same, other] = [1, 1, 2].map((seed) => {
      const build = badRequests(seed, surface, known);
      return Array.from({ length: 60 }, (_, index) => build(index).bytes.toString("latin1"));
    });
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  test("find a server that answers 500", async () => {
    const port = await listen((_request, response) => response.writeHead(500).end());
    const { tally } = await runBadRequests({
      port,
      seed: 1,
      indexes: Array(40).keys(),
      surface,
      readKnowledge: async () => known,
      signal: new AbortController().signal,
    });
    expect(tally.serverErrors).toBeGreaterThan(0);
    expect(tally.problems[0]).toMatch(/^Status 500: .* \(--only \d+\)$/);
  });
});

test("a server that does not answer counts as hung", async () => {
  const port = await listen(() => {});
  const answer = await exchange(port, Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 0.05);
  expect(answer).toEqual({ status: 0, isHung: true, text: "" });
});

test("a contact of a refused request is found", () => {
  const stored = ["Visitor i1x Works i1x", "Visitor i2x Works i2x", "Ada Engines"];
  expect(findUnaccepted(stored, new Set([1]))).toHaveLength(2);
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

test("a contact that a visitor sends in the admin's name is a stored contact, and no changed row", async () => {
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
  expect(await readStoredContacts(owner)).toEqual(["i1x Works admin@seeded.example"]);

  await owner.query("delete from public.contacts where email like 'visitor-%'");
  expect(changedRows(before, await readRows(owner))).toEqual([`contact ${seeded.rows[0].id}`]);
});

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
