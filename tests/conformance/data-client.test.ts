import { request as httpRequest } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { defaultPublicKey as publicKey } from "#server/settings";
import { fillFixtureTables } from "#tests/fixtures/fixture-tables";
import { startDataApiWithFixtures } from "#tests/support/data-api-with-fixtures";
import { rowsOf } from "#tests/support/text-table";

// A row is a call of Supabase's client, the request that the client makes of it, and the answer: status, Content-Range, and
// the code of an error or the data, of which a number stands for the row with this id (docs/protocol.md#data-api).

const { api, database, clientOf } = await startDataApiWithFixtures();
const admin = await clientOf({ admin: true });
const contact = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };

beforeEach(async () => {
  await fillFixtureTables(database.owner);
  await database.owner.query("truncate contacts, private.contact_senders");
});

// The first test, because a server gives the plan of an insert a name when it has accepted the first one.
test("contacts are stored whichever columns they have, also the first ones that come at once", async () => {
  const { company: _, ...withoutCompany } = contact;
  const turns = [Array(10).fill(contact), [withoutCompany], [withoutCompany], [contact]];
  for (const turn of turns) {
    const inserts = turn.map((fields) => {
      const email = `${crypto.randomUUID()}@example.com`;
      return api
        .client()
        .from("contacts")
        .insert({ ...fields, email });
    });
    for (const { status } of await Promise.all(inserts)) expect(status).toBe(201);
  }
  const { rows } = await database.owner.query("select company, count(*)::int from contacts group by 1 order by 1");
  expect(rows).toEqual([
    { company: "", count: 2 },
    { company: "Engines", count: 11 },
  ]);
});

playEach(String.raw`
  birds.select("*").order("seen_at", { ascending: false })                     GET /birds?select=*&order=seen_at.desc            200 0-4/* [3, 4, 2, 1, 5]
  birds.select("id").order("habitat", { ascending: false, nullsFirst: false }).order("id")    GET /birds?select=id&order=habitat.desc.nullslast,id.asc    200 0-4/* [4, 1, 5, 2, 3]
  birds.select("id", { count: "exact" }).order("id").range(0, 1)               GET /birds?select=id&order=id.asc&offset=0&limit=2 prefer: count=exact    206 0-1/5 [1, 2]
  birds.select("id", { count: "exact" }).order("id").range(4, 9)               GET /birds?select=id&order=id.asc&offset=4&limit=6 prefer: count=exact    206 4-4/5 [5]
  birds.select("id", { count: "exact" }).order("id").range(5, 9)               GET /birds?select=id&order=id.asc&offset=5&limit=5 prefer: count=exact    206 */5 []
  birds.select("id", { count: "exact" }).range(100, 109)                       GET /birds?select=id&offset=100&limit=10 prefer: count=exact    416 */5 PGRST103
  birds.select("id").range(100, 109)                                           GET /birds?select=id&offset=100&limit=10          200 */* []
  birds.select("id", { count: "exact" }).eq("id", -1)                          GET /birds?select=id&id=eq.-1 prefer: count=exact    200 */0 []
  birds.select("*", { count: "exact", head: true })                            HEAD /birds?select=* prefer: count=exact          200 0-4/5 null
  birds.select("*", { count: "exact", head: true }).limit(2)                   HEAD /birds?select=*&limit=2 prefer: count=exact    206 0-1/5 null
  birds.select("name").eq("id", 1).single()                                    GET /birds?select=name&id=eq.1                    200 0-0/* {"name": "Heron"}
  birds.select("name").single()                                                GET /birds?select=name                            406 - PGRST116
  birds.select("name").eq("id", -1).single()                                   GET /birds?select=name&id=eq.-1                   406 - PGRST116
  birds.select("name").eq("id", -1).maybeSingle()                              GET /birds?select=name&id=eq.-1                   200 */* null

  birds.insert({ id: 9, name: "Stork" })                                       POST /birds                                       201 */* null
  birds.insert({ id: 9, name: "Stork" }, { count: "exact" })                   POST /birds prefer: count=exact                   201 */1 null
  birds.insert({ id: 9, name: "Stork" }).select()                              POST /birds?select=* prefer: return=representation    201 */* [{"id": 9, "name": "Stork", "habitat": "anywhere", "wingspan": null, "seen_at": null, "sings": null, "odd \"name": null}]
  birds.insert([{ id: 8, name: "Tit" }, { id: 9, name: "Stork" }]).select("id").single()    POST /birds?columns="id","name"&select=id prefer: return=representation    406 - PGRST116
  birds.insert([{ id: 8, name: "Tit", habitat: "hedge" }, { id: 9, name: "Stork" }]).select("habitat")    POST /birds?columns="id","name","habitat"&select=habitat prefer: return=representation    201 */* [{"habitat": "hedge"}, {"habitat": null}]
  birds.insert({ id: 9, name: "ignored" }, { count: "exact" })                 POST /birds prefer: count=exact                   201 */0 null
  birds.insert([]).select()                                                    POST /birds?select=* prefer: return=representation    201 */* []
  birds.insert({ id: 9, name: "Stork" }).setHeader("prefer", "return=headers-only")    POST /birds prefer: return=headers-only    201 */* null
  birds.upsert({ id: 1, name: "x" }, { onConflict: "id" })                     POST /birds?on_conflict=id prefer: resolution=merge-duplicates    400 - PGRST122

  birds.update({ habitat: "sky" }).in("id", [2, 3, 99])                        PATCH /birds?id=in.(2,3,99)                       204 */* null
  birds.update({ habitat: "sky" }).eq("id", 99).select()                       PATCH /birds?id=eq.99&select=* prefer: return=representation    200 */* []
  birds.update({ habitat: "sky" }).eq("id", 99).select().maybeSingle()         PATCH /birds?id=eq.99&select=* prefer: return=representation    200 */* null
  birds.update({ habitat: "sky" }, { count: "exact" }).or("id.eq.1,and(id.eq.3,seen_at.is.null)")    PATCH /birds?or=(id.eq.1,and(id.eq.3,seen_at.is.null)) prefer: count=exact    204 */2 null
  birds.update({ habitat: "sky" }).in("id", [1, 2]).select("id").single()      PATCH /birds?id=in.(1,2)&select=id prefer: return=representation    406 - PGRST116
  birds.update({ 'odd "name': "x" }).eq("id", 1).select('"odd \\"name"')       PATCH /birds?id=eq.1&select="odd \"name" prefer: return=representation    200 */* [{"odd \"name": "x"}]

  birds.delete().in("id", [1, 2, 99])                                          DELETE /birds?id=in.(1,2,99)                      204 */* null
  birds.delete({ count: "exact" }).gt("id", 0).select("id")                    DELETE /birds?id=gt.0&select=id prefer: count=exact, return=representation    200 */2 [2, 3]
  birds.delete().gt("id", 0).select().single()                                 DELETE /birds?id=gt.0&select=* prefer: return=representation    406 - PGRST116
  birds.delete().eq("id", 2).select("name").single()                           DELETE /birds?id=eq.2&select=name prefer: return=representation    200 */* {"name": "Robin"}

  db.rpc("noargs")                                                                POST /rpc/noargs                                  200 0-0/* "nothing asked"
  db.rpc("greet", { name: "Wren" })                                               POST /rpc/greet                                   200 0-0/* "Hello, Wren"
  db.rpc("greet", { name: "'); drop table birds; --" })                           POST /rpc/greet                                   200 0-0/* "Hello, '); drop table birds; --"
  db.rpc("add_bird", { id: 9, name: "Stork" })                                    POST /rpc/add_bird                                204 0-0/* null
  db.rpc("birds_in", { place: "garden" })                                         POST /rpc/birds_in                                200 0-1/* [2, 3]
  db.rpc("birds_in", { place: "lake" }, { count: "exact" }).select("id").gt("id", 0).order("id", { ascending: false }).limit(1)    POST /rpc/birds_in?select=id&id=gt.0&order=id.desc&limit=1 prefer: count=exact, return=representation    206 0-0/2 [5]
  db.rpc("birds_in", { place: "wood" }).select("id").single()                     POST /rpc/birds_in?select=id prefer: return=representation    200 0-0/* {"id": 4}
  db.rpc("numbers", { upto: 3 })                                                  POST /rpc/numbers                                 200 0-2/* [1, 2, 3]
  db.rpc("spans").limit(1)                                                        POST /rpc/spans?limit=1                           200 0-0/* [{"bird": "Heron", "span": 1.85}]
  db.rpc("first_bird").select("id")                                               POST /rpc/first_bird?select=id prefer: return=representation    200 0-0/* {"id": 1}
  db.rpc("flock").single()                                                        POST /rpc/flock                                   200 0-0/* {"size": 5, "is_estimate": false}
  db.rpc("search_birds", { _names: ["Heron", "Wren, small", 'a "quote"'] })       POST /rpc/search_birds                            200 0-1/* [1, 3]
  db.rpc("search_birds", { _names: null, _since: "2025-11-21T00:00:00Z" })        POST /rpc/search_birds                            200 0-0/* [2]
  db.rpc("search_birds", { _names: "Heron" })                                     POST /rpc/search_birds                            400 - 22P02

  birds.select("id").csv()                                                     GET /birds?select=id                              406 - PGRST107
  birds.select("id").geojson()                                                 GET /birds?select=id                              406 - PGRST107
  birds.select("id").explain()                                                 GET /birds?select=id                              406 - PGRST107
  birds.select("id").stripNulls()                                              GET /birds?select=id                              406 - PGRST107
  birds.select("id", { count: "planned" })                                     GET /birds?select=id prefer: count=planned        400 - PGRST122
  birds.select("id", { count: "estimated" })                                   GET /birds?select=id prefer: count=estimated      400 - PGRST122
  birds.select("called:name")                                                  GET /birds?select=called:name                     400 - PGRST127
  birds.select("id::text")                                                     GET /birds?select=id::text                        400 - PGRST127
  birds.select("id.count()")                                                   GET /birds?select=id.count()                      400 - PGRST127
  birds.select("name->x")                                                      GET /birds?select=name->x                         400 - PGRST127
  birds.select("*, user_roles(*)")                                             GET /birds?select=*,user_roles(*)                 400 - PGRST127
  birds.select("*, nests!inner(*)")                                            GET /birds?select=*,nests!inner(*)                400 - PGRST127
  birds.select("id").likeAnyOf("name", ["H%"])                                 GET /birds?select=id&name=like(any).{H%}          400 - PGRST100
  birds.select("id").ilikeAllOf("name", ["H%"])                                GET /birds?select=id&name=ilike(all).{H%}         400 - PGRST100
  birds.select("id").regexMatch("name", "^H")                                  GET /birds?select=id&name=match.^H                400 - PGRST100
  birds.select("id").regexIMatch("name", "^H")                                 GET /birds?select=id&name=imatch.^H               400 - PGRST100
  birds.select("id").isDistinct("name", "a")                                   GET /birds?select=id&name=isdistinct.a            400 - PGRST100
  birds.select("id").contains("name", ["a"])                                   GET /birds?select=id&name=cs.{a}                  400 - PGRST100
  birds.select("id").containedBy("name", ["a"])                                GET /birds?select=id&name=cd.{a}                  400 - PGRST100
  birds.select("id").overlaps("name", ["a"])                                   GET /birds?select=id&name=ov.{a}                  400 - PGRST100
  birds.select("id").rangeGt("name", "[1,2)")                                  GET /birds?select=id&name=sr.[1,2)                400 - PGRST100
  birds.select("id").ilikeAnyOf("name", ["H%"])                                GET /birds?select=id&name=ilike(any).{H%}         400 - PGRST100
  birds.select("id").likeAllOf("name", ["H%"])                                 GET /birds?select=id&name=like(all).{H%}          400 - PGRST100
  birds.select("id").rangeGte("name", "[1,2)")                                 GET /birds?select=id&name=nxl.[1,2)               400 - PGRST100
  birds.select("id").rangeLt("name", "[1,2)")                                  GET /birds?select=id&name=sl.[1,2)                400 - PGRST100
  birds.select("id").rangeLte("name", "[1,2)")                                 GET /birds?select=id&name=nxr.[1,2)               400 - PGRST100
  birds.select("id").rangeAdjacent("name", "[1,2)")                            GET /birds?select=id&name=adj.[1,2)               400 - PGRST100
  birds.select("id").textSearch("name", "heron")                               GET /birds?select=id&name=fts.heron               400 - PGRST100
  birds.insert([{ id: 9, name: "Stork" }], { defaultToNull: false })           POST /birds?columns="id","name" prefer: missing=default    400 - PGRST122
  birds.insert({ id: 9, name: "Stork" }).rollback()                            POST /birds prefer: tx=rollback                   400 - PGRST122
  birds.update({ habitat: "sky" }).lt("id", 4).maxAffected(2)                  PATCH /birds?id=lt.4 prefer: handling=strict, max-affected=2    400 - PGRST122
  db.rpc("greet", { name: "Wren" }, { get: true })                             GET /rpc/greet?name=Wren                          405 - PGRST101`);

/** Filters: the call, its part of the address, and the ids of the rows that match. */
for (const [call = "", onTheWire = "", ids = ""] of rowsOf(String.raw`
  .eq("name", "Heron")                            name=eq.Heron                                  1
  .eq("name", 'The (so-called) "owl"')            name=eq.The (so-called) "owl"                  4
  .neq("habitat", "lake")                         habitat=neq.lake                               2 3 4
  .gt("wingspan", 0.2).lt("wingspan", 2)          wingspan=gt.0.2&wingspan=lt.2                  1 2
  .gte("seen_at", "2025-11-21T06:00:00+02:00")    seen_at=gte.2025-11-21T06:00:00+02:00          2
  .lte("id", 2)                                   id=lte.2                                       1 2
  .like("name", "%in")                            name=like.%in                                  2
  .like("name", "*in")                            name=like.*in                                  2
  .like("name", "50\\%%")                         name=like.50\%%                                5
  .ilike("name", "%heron_%")                      name=ilike.%heron_%                            -
  .match({ habitat: "garden", sings: true })      habitat=eq.garden&sings=eq.true                2 3
  .in("id", [1, 3])                               id=in.(1,3)                                    1 3
  .in("name", ["Robin", "Wren, small"])           name=in.(Robin,"Wren, small")                  2 3
  .in("id", [])                                   id=in.()                                       -
  .notIn("id", [1, 2, 3])                         id=not.in.(1,2,3)                              4 5
  .is("sings", null)                              sings=is.null                                  4
  .is("sings", true)                              sings=is.true                                  2 3
  .not("sings", "is", null)                       sings=not.is.null                              1 2 3 5
  .not("habitat", "eq", "lake")                   habitat=not.eq.lake                            2 3 4
  .or('name.ilike.%ROBIN%,name.ilike."%wren, s%"')    or=(name.ilike.%ROBIN%,name.ilike."%wren, s%")    2 3
  .or("and(id.gt.1,id.lt.3),not.and(id.lt.5,id.gt.0),id.in.(3,9)")    or=(and(id.gt.1,id.lt.3),not.and(id.lt.5,id.gt.0),id.in.(3,9))    2 3 5
  .or("seen_at.lt.2025-11-01T00:00:00+00:00,and(seen_at.eq.2025-11-21T04:00:00+00:00,id.gt.1)")    or=(seen_at.lt.2025-11-01T00:00:00+00:00,and(seen_at.eq.2025-11-21T04:00:00+00:00,id.gt.1))    2 5
  .like("name", "*e*").like("name", "*n, s*")     name=like.*e*&name=like.*n, s*                 3
  .like("name", '*(so-called) "owl"*')            name=like.*(so-called) "owl"*                  4`))
  test(`${call} finds ${ids}`, async () => {
    const { data } = await run(`birds.select("id")${call}.order("id")`);
    expect((data as { id: number }[]).map(({ id }) => id).join(" ") || "-").toBe(ids);
    expect(await sent()).toBe(`GET /birds?select=id&${onTheWire}&order=id.asc`);
  });

test("a visitor's contact is stored, and the answer has status 201 and no body", async () => {
  const { error, status, data } = await api.client().from("contacts").insert(contact);
  expect({ error, status, data }).toEqual({ error: null, status: 201, data: null });
  expect((await database.owner.query("select * from contacts")).rows).toMatchObject([contact]);

  const exchange = await api.last();
  expect(exchange).toMatchObject({ method: "POST", url: "/rest/v1/contacts", body: JSON.stringify(contact) });
  expect(exchange.headers).toMatchObject({
    apikey: publicKey,
    authorization: `Bearer ${publicKey}`,
    "content-profile": "public",
    "content-type": "application/json",
    accept: "*/*",
  });
  expect(exchange.answered).toMatchObject({ "content-range": "*/*", "content-length": "0" });
  expect(exchange.answered).not.toHaveProperty("content-type");
});

test("an error of the job queue is no fault of the visitor and names nothing of it", async () => {
  const insert = (email: string) =>
    api
      .client()
      .from("contacts")
      .insert({ ...contact, email });
  await insert("first@example.com");
  const message = "Something went wrong on our side. Please try again in a moment.";
  for (const [code, next] of [
    ["23505", "(select min(id) from private.jobs), false"],
    ["2200H", "9223372036854775807"],
  ]) {
    await database.owner.query(`select setval('private.jobs_id_seq', ${next})`);
    const { status, error } = await insert(`${code}@example.com`);
    expect([status, error]).toEqual([500, { code, message, details: null, hint: null }]);
    expect(api.failures.splice(0)).toMatchObject([{ err: { code } }]);
  }
  await database.owner.query("select setval('private.jobs_id_seq', (select max(id) from private.jobs))");
});

test("an insert stores quotes, brackets, decimal numbers and non-Latin text unchanged", async () => {
  const body = `{"id": 9, "name": "O'Hara \\"x\\" $1 {} 鳥 \\ud83e\\udd89", "wingspan": 123.4500, "odd \\"name": "x"}`;
  const headers = { apikey: publicKey, "content-type": "application/json" };
  expect((await fetch(`${api.url}/rest/v1/birds`, { method: "POST", headers, body })).status).toBe(201);
  const { rows } = await database.owner.query("select * from birds where id = 9");
  expect(rows).toMatchObject([{ name: `O'Hara "x" $1 {} 鳥 🦉`, wingspan: "123.45", 'odd "name': "x" }]);
});

test("the parameter columns names what is written: null where the body lacks it, and nothing besides", async () => {
  for (const [method, path] of [
    ["POST", "birds?columns=id,name"],
    ["PATCH", "birds?id=eq.1&columns=habitat,name"],
  ] as const) {
    const body = JSON.stringify({ id: 9, name: "Crane", wingspan: 9, nonsense: 1 });
    const headers = { apikey: publicKey, "content-type": "application/json" };
    expect((await fetch(`${api.url}/rest/v1/${path}`, { method, headers, body })).ok).toBe(true);
  }
  const { rows } = await database.owner.query(
    "select id, habitat, wingspan from birds where name = 'Crane' order by id",
  );
  expect(rows).toEqual([
    { id: 1, habitat: null, wingspan: "1.85" },
    { id: 9, habitat: "anywhere", wingspan: null },
  ]);
});

test("a HEAD request returns the headers of GET without a body and without Content-Length", async () => {
  // `fetch` would hide a body.
  const { headers, body } = await new Promise<{ headers: object; body: string }>((done, fail) => {
    const options = { method: "HEAD", headers: { apikey: publicKey } };
    const sent = httpRequest(`${api.url}/rest/v1/birds?select=*`, options, async (answer) => {
      done({ headers: answer.headers, body: (await answer.toArray()).join("") });
    });
    sent.on("error", fail).end();
  });
  expect(body).toBe("");
  expect(headers).toMatchObject({ "content-range": "0-4/*", "content-type": "application/json; charset=utf-8" });
  expect(headers).not.toHaveProperty("content-length");
});

test("an answer has at most 1000 rows, but the count includes all matching rows", async () => {
  await database.owner.query("insert into birds (id, name) select n, 'Starling' from generate_series(1000, 2499) n");
  const { data, count, status } = await api.client().from("birds").select("id", { count: "exact" }).limit(5000);
  expect([data?.length, count, status]).toEqual([1000, 1505, 206]);
});

test("times are in UTC, and an answer of one object has a type of its own", async () => {
  const { data } = await api.client().from("birds").select("seen_at").eq("id", 2).single();
  expect(data).toEqual({ seen_at: "2025-11-21T04:00:00+00:00" });
  const { headers, answered } = await api.last();
  expect([headers.accept, answered["content-type"]]).toEqual([
    "application/vnd.pgrst.object+json",
    "application/vnd.pgrst.object+json; charset=utf-8",
  ]);
});

test("another schema and the description of the schema are refused", async () => {
  const { status, error } = await api.client().schema("auth").from("users").select();
  expect([status, error?.hint]).toEqual([406, "Only the following schemas are exposed: public"]);
  expect((await api.client().getOpenApiSpec()).error).toMatchObject({ code: "PGRST126" });
});

test("SQL functions read a request's method, path and headers, but no credentials", async () => {
  const headers = { cookie: "session=1", "x-forwarded-for": "6.6.6.6", "X-Client-Info": "test" };
  const answer = await fetch(`${api.url}/rest/v1/rpc/request_settings`, {
    method: "POST",
    headers: { apikey: publicKey, authorization: `Bearer ${publicKey}`, ...headers },
  });
  const settings = await answer.json();
  expect(settings).toMatchObject({
    method: "POST",
    path: "/rpc/request_settings",
    claims: { role: "anon" },
    role: "anon",
    zone: "UTC",
    headers: { "x-client-info": "test", "x-forwarded-for": "127.0.0.1" },
  });
  for (const name of ["authorization", "apikey", "cookie"]) expect(settings.headers).not.toHaveProperty(name);
});

test("an admin changes contacts, and a stale write does not overwrite a newer note", async () => {
  const [id, other] = await storeContacts(2);
  const contacts = () => admin.from("contacts");
  expect((await contacts().update({ state: "handled" }).in("id", [id, other])).status).toBe(204);

  const write = (note: string, version: number) =>
    contacts().update({ note }).eq("id", id).eq("note_version", version).select("id, note, note_version, state");
  expect((await write("first", 0)).data).toEqual([{ id, note: "first", note_version: 1, state: "handled" }]);
  expect((await write("stale", 0)).data).toEqual([]);
  expect((await write("second", 1)).data).toMatchObject([{ note: "second", note_version: 2 }]);

  const corrected = { name: "Ada L.", company: "", email: "ada.l@example.com", interest: "partnerships" };
  expect((await contacts().update(corrected).eq("id", id).select().single()).data).toMatchObject(corrected);
  for (const fixed of [
    { id: crypto.randomUUID() },
    { submitted_at: "2020-01-01" },
    { spam_reason: null },
    { note_version: 9 },
    { handled_by_since: "2026-01-01" },
  ]) {
    const { status, error } = await contacts().update(fixed).eq("id", id);
    expect([fixed, status, error?.code]).toEqual([fixed, 403, "42501"]);
  }
  expect(await contacts().delete().eq("id", other).select("id")).toMatchObject({ status: 200, data: [{ id: other }] });
});

function playEach(table: string) {
  for (const [call = "", request = "", answer = ""] of rowsOf(table))
    test(`${call} gets ${answer}`, async () => {
      const { status, data, error } = await run(call);
      const [, code, range, content = ""] = /^(\d+) (\S+) (.+)$/.exec(answer) ?? [];
      expect([status, error?.code]).toEqual([Number(code), status < 300 ? undefined : content]);
      expect(await sent()).toBe(request);
      if (range !== "-") expect((await api.last()).answered["content-range"]).toBe(range);
      if (!error) expect(withIds(data, content)).toEqual(JSON.parse(content));
      expect(api.failures).toEqual([]);
    });
}

type Answer = { status: number; data: unknown; error: { code: string } | null };

/** Runs the text of a call: `db` is a client, and `birds` and `nests` are its queries of these tables. */
function run(call: string): PromiseLike<Answer> {
  const db = api.client();
  return new Function("db", "birds", "nests", `return ${call}`)(db, db.from("birds"), db.from("nests"));
}

/** The last request in words: method, decoded address and the header Prefer. */
async function sent(): Promise<string> {
  const { method, url, headers } = await api.last();
  const address = decodeURIComponent(url.replaceAll("+", " ")).replace("/rest/v1", "");
  return [method, address, ...(headers.prefer ? [`prefer: ${headers.prefer}`] : [])].join(" ");
}

/** Shortens rows to their ids where the table does. */
function withIds(data: unknown, content: string): unknown {
  const isShort = /^\[\d/.test(content) && Array.isArray(data) && data.some((row) => typeof row === "object");
  return isShort ? data.map(({ id }) => id) : data;
}

async function storeContacts(count: number): Promise<string[]> {
  const { rows } = await database.owner.query(
    `insert into contacts (name, email, interest)
     select 'Ada', gen_random_uuid() || '@example.com', 'consulting' from generate_series(1, $1) returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}
