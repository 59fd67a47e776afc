import { connect } from "node:net";
import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { createCatalogue } from "#backend/data-api/catalogue";
import { refusals } from "#backend/data-api/refusals";
import { separatePool } from "#backend/database/connections";
import { madeUpToken, publicKey } from "#tests/support/data-api";
import { startDataApiWithFixtures } from "#tests/support/data-api-with-fixtures";

const { api, database } = await startDataApiWithFixtures();

test("a request with a missing or wrong API key is refused", async () => {
  const without = await fetch(`${api.url}/rest/v1/birds`);
  expect([without.status, await without.json()]).toEqual([
    401,
    {
      message: "No API key found in request",
      hint: "No `apikey` request header or url param was found.",
    },
  ]);
  for (const key of ["sb_publishable_other", "sb_secret_embedded"]) {
    const wrong = await createClient(api.url, key).from("birds").select();
    expect([wrong.status, wrong.error?.message]).toEqual([401, "Invalid API key"]);
  }
});

test("CORS headers let any origin send requests and read error responses and Content-Range", async () => {
  const preflight = await fetch(`${api.url}/rest/v1/contacts`, {
    method: "OPTIONS",
    headers: {
      origin: "https://elsewhere.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "apikey,authorization,content-profile,content-type,x-client-info",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-max-age")).toBe("86400");
  expect(preflight.headers.get("access-control-allow-headers")?.split(", ")).toEqual(
    expect.arrayContaining(
      [
        "accept-profile,apikey,authorization,prefer,x-client-info,x-retry-count".split(","),
        "content-profile,content-type,traceparent,tracestate,baggage,range,range-unit".split(","),
      ].flat(),
    ),
  );
  expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  const refused = await fetch(`${api.url}/rest/v1/contacts`);
  expect(refused.headers.get("access-control-expose-headers")).toContain("Content-Range");
});

test("a role that a token invents is refused, and SQL in a claim is a plain value", async () => {
  for (const role of ["authenticator", 'anon"; set role postgres; --']) {
    const { status } = await api
      .client(madeUpToken({ role: role as "anon" }))
      .from("contacts")
      .select();
    expect([401, 403]).toContain(status);
  }
  const token = madeUpToken({ role: "authenticated", sub: "'; reset role; drop table birds; --\0" });
  const { error } = await api.client(token).rpc("has_role", { _user_id: crypto.randomUUID(), _role: "admin" });
  expect(error?.code).toBe("22P05");
});

const findTable = (catalogue: ReturnType<typeof createCatalogue>, name: string) =>
  catalogue((snapshot) => {
    const table = snapshot.tables.find((each) => each.name === name);
    if (!table) throw refusals.unknownTable(name);
    return table;
  });

test("a request for an unknown table reloads the schema catalogue at most every 5 seconds", async () => {
  let time = 0;
  const catalogue = createCatalogue(database.caller, () => time);
  await findTable(catalogue, "birds");
  await database.owner.query("create table public.nests (id integer primary key)");

  time = 4999;
  await expect(findTable(catalogue, "nests")).rejects.toMatchObject({ code: "PGRST205" });
  time = 5000;
  expect(await findTable(catalogue, "nests")).toMatchObject({ name: "nests" });
  await database.owner.query("drop table public.nests");
});

test("after a failed load, the next request loads the schema catalogue again", async () => {
  const pool = separatePool(database.caller, { host: "127.0.0.1", port: 1, connectionTimeoutMillis: 500 });
  const catalogue = createCatalogue(pool);
  await expect(findTable(catalogue, "birds")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  Object.assign(pool.options, { host: database.connection.host, port: database.connection.port });
  await expect.poll(() => findTable(catalogue, "birds")).toMatchObject({ name: "birds" });
  await pool.end();
});

const contact = JSON.stringify({ name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" });
const head = `POST /rest/v1/contacts HTTP/1.1\r\nhost: x\r\napikey: ${publicKey}\r\ncontent-type: application/json\r\n`;
/** A complete request that would store a contact, where a server takes it for a second one. */
const smuggled = `${head}content-length: ${contact.length}\r\n\r\n${contact}`;

test.each([
  ["no HTTP at all", "nonsense\r\n\r\n"],
  ["a negative length", `${head}content-length: -5\r\n\r\n`],
  ["two lengths", `${head}content-length: 0\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`],
  ["a length beside chunks", `${head}content-length: 99\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ["an encoding that is none", `${head}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ["chunked before another encoding", `${head}transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n${smuggled}`],
  ["a space before a colon", `${head}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ["a header that continues", `${head}content-length: 0\r\n transfer-encoding: chunked\r\n\r\n${smuggled}`],
  ["a chunk without a size", `${head}transfer-encoding: chunked\r\n\r\nx\r\n${smuggled}`],
  ["a NUL in a header", `${head}x: a\0b\r\n\r\n${smuggled}`],
])("a message with %s gets 400 and hides no second request", async (_name, bytes) => {
  expect((await sendBytes(bytes)).match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 400"]);
  expect((await database.owner.query("select from contacts")).rowCount).toBe(0);
});

test("a request that ends before its body stores nothing and does not stop the server", async () => {
  await sendBytes(`${head}content-length: 100\r\n\r\n{"name"`);
  expect((await api.client().from("birds").select("id")).data).toHaveLength(5);
  expect(api.failures).toEqual([]);
});

/** Sends bytes, ends the client's side of the connection, and resolves with the answer. */
function sendBytes(text: string): Promise<string> {
  return new Promise((done) => {
    let answer = "";
    const socket = connect(Number(new URL(api.url).port), "127.0.0.1", () => socket.end(text));
    socket.on("data", (chunk) => (answer += chunk));
    socket.on("close", () => done(answer));
    socket.on("error", () => {});
  });
}
