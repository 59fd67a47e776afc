import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { startBirdsApi } from "#tests/support/birds-api";

const { api } = await startBirdsApi();

type Query = ReturnType<ReturnType<SupabaseClient["from"]>["select"]>;
type Refused = PromiseLike<{ error: { code: string } | null; status: number }>;
const select = (columns = "id") => api.client().from("birds").select(columns);

test.each<[string, (query: Query) => Query, number[]]>([
  ["likeAnyOf", (q) => q.likeAnyOf("name", ["H%", "R%"]), [1, 2]],
  ["ilikeAllOf", (q) => q.ilikeAllOf("name", ["%E%", "%N"]), [1]],
  ["notIn", (q) => q.notIn("id", [1, 2, 3]), [4, 5]],
  ["match", (q) => q.match({ habitat: "garden", sings: true }), [2, 3]],
  ["filter", (q) => q.filter("habitat", "in", "(lake,wood)"), [1, 4, 5]],
])("%s finds the rows that match", async (_call, filtered, ids) => {
  const { data, error } = await filtered(select().order("id") as Query);
  expect([error, (data as unknown as { id: number }[]).map(({ id }) => id)]).toEqual([null, ids]);
});

const range = "[1,2)";
test.each<[string, string, number, (query: Query) => Refused]>([
  ["contains", "PGRST100", 400, (q) => q.contains("name", ["a"])],
  ["containedBy", "PGRST100", 400, (q) => q.containedBy("name", ["a"])],
  ["overlaps", "PGRST100", 400, (q) => q.overlaps("name", ["a"])],
  ["rangeGt", "PGRST100", 400, (q) => q.rangeGt("name", range)],
  ["rangeGte", "PGRST100", 400, (q) => q.rangeGte("name", range)],
  ["rangeLt", "PGRST100", 400, (q) => q.rangeLt("name", range)],
  ["rangeLte", "PGRST100", 400, (q) => q.rangeLte("name", range)],
  ["rangeAdjacent", "PGRST100", 400, (q) => q.rangeAdjacent("name", range)],
  ["textSearch", "PGRST100", 400, (q) => q.textSearch("name", "heron")],
  ["geojson", "PGRST107", 406, (q) => q.geojson()],
  ["explain", "PGRST107", 406, (q) => q.explain() as unknown as Refused],
  ["stripNulls", "PGRST107", 406, (q) => q.stripNulls()],
])("%s is refused with %s", async (_call, code, status, refused) => {
  expect(await refused(select() as Query)).toMatchObject({ status, error: { code } });
});

test("rollback() has no effect, as with PostgREST's default: the row is stored", async () => {
  const { error } = await api.client().from("birds").insert({ id: 90, name: "Kept" }).rollback();
  expect(error).toBeNull();
  expect((await select().eq("id", 90)).data).toEqual([{ id: 90 }]);
});

test("getOpenApiSpec is refused: the description of the schema is off", async () => {
  expect((await api.client().getOpenApiSpec()).error).toMatchObject({ code: "PGRST126" });
});
