import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { defaultPublicKey } from "#server/settings";
import { startBirdsApi } from "#tests/support/birds-api";

const { api, clientOf } = await startBirdsApi();

type Query = ReturnType<ReturnType<SupabaseClient["from"]>["select"]>;

test.each<[string, string, (query: Query) => Query, number[]]>([
  ["eq", "name=eq.Heron", (q) => q.eq("name", "Heron"), [1]],
  ["eq with quotes", "name=eq.The+%28so-called%29+%22owl%22", (q) => q.eq("name", 'The (so-called) "owl"'), [4]],
  ["neq", "habitat=neq.lake", (q) => q.neq("habitat", "lake"), [2, 3, 4]],
  ["gt and lt", "wingspan=gt.0.2&wingspan=lt.2", (q) => q.gt("wingspan", 0.2).lt("wingspan", 2), [1, 2]],
  ["gte", "seen_at=gte.2025-11-21T06%3A00%3A00%2B02%3A00", (q) => q.gte("seen_at", "2025-11-21T06:00:00+02:00"), [2]],
  ["lte", "id=lte.2", (q) => q.lte("id", 2), [1, 2]],
  ["like", "name=like.%25in", (q) => q.like("name", "%in"), [2]],
  ["like with an asterisk", "name=like.*in", (q) => q.like("name", "*in"), [2]],
  ["like with a backslash", "name=like.50%5C%25%25", (q) => q.like("name", "50\\%%"), [5]],
  ["ilike", "name=ilike.%25heron_%25", (q) => q.ilike("name", "%heron_%"), []],
  [
    "ilike any",
    "name=ilike%28any%29.%7B%25HER%25%2C%25rob%25%7D",
    (q) => q.ilikeAnyOf("name", ["%HER%", "%rob%"]),
    [1, 2],
  ],
  ["like all", "name=like%28all%29.%7B%25e%25%2C%25r%25%7D", (q) => q.likeAllOf("name", ["%e%", "%r%"]), [1, 3, 5]],
  ["isdistinct", "sings=isdistinct.true", (q) => q.isDistinct("sings", true), [1, 4, 5]],
  ["not isdistinct", "sings=not.isdistinct.true", (q) => q.not("sings", "isdistinct", true), [2, 3]],
  // As upstream, the text and not the missing value.
  ["isdistinct null", "habitat=isdistinct.null", (q) => q.isDistinct("habitat", null), [1, 2, 3, 4, 5]],
  ["match", "name=match.%5E%5BHR%5D.*n%24", (q) => q.regexMatch("name", "^[HR].*n$"), [1, 2]],
  ["imatch", "name=imatch.HERON%7COWL", (q) => q.regexIMatch("name", "HERON|OWL"), [1, 4]],
  ["not match", "name=not.match.%5E%5BHR%5D", (q) => q.not("name", "match", "^[HR]"), [3, 4, 5]],
  ["match any", "name=match%28any%29.%7B%5EH%2C%5ER%7D", (q) => q.filter("name", "match(any)", "{^H,^R}"), [1, 2]],
  ["imatch all", "name=imatch%28all%29.%7Bh%2Cowl%7D", (q) => q.filter("name", "imatch(all)", "{h,owl}"), [4]],
  ["in", "id=in.%281%2C3%29", (q) => q.in("id", [1, 3]), [1, 3]],
  [
    "in with a comma",
    "name=in.%28Robin%2C%22Wren%2C+small%22%29",
    (q) => q.in("name", ["Robin", "Wren, small"]),
    [2, 3],
  ],
  ["in with an empty list", "id=in.%28%29", (q) => q.in("id", []), []],
  ["not in", "id=not.in.%281%2C2%2C3%29", (q) => q.not("id", "in", "(1,2,3)"), [4, 5]],
  ["is null", "sings=is.null", (q) => q.is("sings", null), [4]],
  ["is true", "sings=is.true", (q) => q.is("sings", true), [2, 3]],
  ["is not null", "sings=not.is.null", (q) => q.not("sings", "is", null), [1, 2, 3, 5]],
  ["not eq", "habitat=not.eq.lake", (q) => q.not("habitat", "eq", "lake"), [2, 3, 4]],
  [
    "or",
    "or=%28name.ilike.%25ROBIN%25%2Cname.ilike.%22%25wren%2C+s%25%22%29",
    (q) => q.or('name.ilike.%ROBIN%,name.ilike."%wren, s%"'),
    [2, 3],
  ],
  [
    "or with groups",
    "or=%28and%28id.gt.1%2Cid.lt.3%29%2Cnot.and%28id.lt.5%2Cid.gt.0%29%2Cid.in.%283%2C9%29%29",
    (q) => q.or("and(id.gt.1,id.lt.3),not.and(id.lt.5,id.gt.0),id.in.(3,9)"),
    [2, 3, 5],
  ],
  [
    "or with expressions",
    "or=%28name.match.%22%5E%28H%7CR%29%2C%3F%22%2Cnot.and%28sings.not.isdistinct.true%2Cname.imatch%28any%29.%7Bw%2Cr%7D%29%29",
    (q) => q.or('name.match."^(H|R),?",not.and(sings.not.isdistinct.true,name.imatch(any).{w,r})'),
    [1, 2, 4, 5],
  ],
])("a filter of Supabase's client returns the matching rows: %s", async (_name, onTheWire, filtered, ids) => {
  const { data, error } = await filtered(api.client().from("birds").select("id")).order("id");
  expect(error).toBeNull();
  expect(data).toEqual(ids.map((id) => ({ id })));
  expect((await api.last()).url).toBe(`/rest/v1/birds?select=id&${onTheWire}&order=id.asc`);
});

test("the regular expression of a caller who may read no row is not even compiled", async () => {
  const member = await clientOf({ admin: false });
  const { data, error } = await member.from("contacts").select().regexMatch("name", "(");
  expect({ data, error }).toEqual({ data: [], error: null });
});

test.each<[string, string, number, Record<string, unknown>]>([
  ["an unknown column", "colour=eq.red", 400, { code: "42703", message: "column birds.colour does not exist" }],
  ["an unknown column to order by", "order=colour", 400, { code: "42703" }],
  ["an unknown column to select", "select=colour", 400, { code: "42703" }],
  ["a value of the wrong type", "id=eq.one", 400, { code: "22P02" }],
  ["a number too large", "id=eq.99999999999", 400, { code: "22003" }],
  ["an operator that does not fit the type", "id=like.1", 404, { code: "42883" }],
  ["an expression for another type", "id=match.1", 404, { code: "42883" }],
  ["a bad expression", "name=match.(", 400, { code: "2201B" }],
  ["an expression that is too large", "name=imatch.(x{255}){255}", 400, { code: "2201B" }],
  ["isdistinct of the wrong type", "id=isdistinct.one", 400, { code: "22P02" }],
  ["isdistinct of several values", "id=isdistinct(any).{1}", 400, { code: "PGRST100" }],
  ["a truth value for another type", "name=is.true", 400, { code: "42804" }],
  [
    "an unknown operator",
    "name=resembles.x",
    400,
    {
      code: "PGRST100",
      message: '"failed to parse filter (resembles.x)" (line 1, column 1)',
      details:
        'unexpected "r" expecting "not" or operator (eq, neq, gt, gte, lt, lte, like, ilike, match, imatch, in, is, isdistinct)',
    },
  ],
  ["a filter without an operator", "name=Heron", 400, { code: "PGRST100" }],
  ["an unknown truth value", "sings=is.loud", 400, { code: "PGRST100" }],
  ["an unclosed list", "id=in.(1,2", 400, { code: "PGRST100" }],
  ["text after a list", "id=in.(1,2)x", 400, { code: "PGRST100" }],
  ["an unclosed group", "or=(id.eq.1", 400, { code: "PGRST100" }],
  ["a value that is no array", "name=like(any).x", 400, { code: "PGRST100" }],
  ["an array that PostgreSQL cannot read", "name=like(any).{a,{b}", 400, { code: "22P02" }],
  ["an unknown sort direction", "order=id.sideways", 400, { code: "PGRST100" }],
  ["a cast to an unknown type", "select=id::secret", 400, { code: "42704" }],
  ["an embedded table", "select=*,user_roles(*)", 400, { code: "PGRST200" }],
  ["a path into JSON", "select=name->x", 400, { code: "PGRST127" }],
  ["a path into JSON to filter by", "name->>x=eq.1", 400, { code: "PGRST127" }],
  ["an aggregate", "select=id.count()", 400, { code: "PGRST123" }],
])("a query with %s is refused", async (_name, query, status, expected) => {
  const url = `${api.url}/rest/v1/birds?${encodeURI(query)}`;
  const answer = await fetch(url, { headers: { apikey: defaultPublicKey } });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject(expected);
  expect(api.failures).toEqual([]);
});
