import { fc } from "#tests/support/property";
import { escaped, type Fault, fault, hostileText } from "./fault.ts";
import type { Surface } from "./surface.ts";

const methods = "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY PROPFIND SEARCH LINK".split(" ");
const pathEndings =
  "/ // /..%2f..%2fetc/passwd /../../../etc/passwd %00 % %ff \xff ;a=b .json %0d%0aX-Injected:%201".split(" ");
const pathChanges: readonly ((path: string) => string)[] = [
  ...pathEndings.map((ending) => (path: string) => path + ending),
  (path) => path.replace(/^\/\w*/, "$&/%2e%2e"),
  (path) => path.replaceAll("/", "%2f"),
  (path) => path.replaceAll("/", "\\"),
  (path) => path.toUpperCase(),
  (path) => `/${path}/${"a/".repeat(2000)}`,
  (path) => `${path}/${"a".repeat(12_000)}`,
  (path) => path.replace(/[^/]*$/, "__proto__"),
  () => "/.env",
  () => "*",
  () => "",
];
const parameterNames =
  "select order limit offset apikey grant_type type token token_hash scope redirect_to key or columns on_conflict";
const parameter = fc
  .tuple(fc.constantFrom(...parameterNames.split(" "), "__proto__"), hostileText)
  .map(([name, value]) => escaped(name, value.toWellFormed().slice(0, 1000)));

export const addressFaults = fc.oneof(
  fault("another method", fc.constantFrom(...methods), (draft, method) => {
    draft.method = method;
  }),
  fault("a changed path", fc.constantFrom(...pathChanges), (draft, change) => {
    draft.path = change(draft.path);
  }),
  fault("hostile parameters", fc.array(parameter, { minLength: 1, maxLength: 4 }), (draft, parameters) => {
    draft.query = parameters.join("&");
  }),
  fault(
    "a longer query",
    fc.constantFrom("&%", "&%f=%f", "&a=%ff%fe", "&a=%00", "&a=\xff", "&=&&", "?x", "#x"),
    (draft, more) => {
      draft.query += more;
    },
  ),
  fault("a repeated query", parameter, (draft, more) => {
    draft.query = `${draft.query}&${draft.query}&${more}`;
  }),
  fault("a query of 12 KB", fc.constantFrom("a", "%41", "(", "%20"), (draft, text) => {
    draft.query += `&x=${text.repeat(12_000 / text.length)}`;
  }),
);

const operators =
  "eq neq gt gte lt lte like ilike match imatch match(any) in is isdistinct fts cs ov not.eq not.in not.not.eq like(all) EQ";
const valueText = fc.oneof(
  hostileText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 1000))),
  fc.constantFrom("null", "(1,2)", "(", "{1}", '"', "%25_".repeat(500), "\\", "now", "1/**/or/**/1=1", "true", "*"),
);

/** Abuse of the query language of `/rest/v1` (docs/protocol.md#filters). */
export function queryFaults(surface: Surface): fc.Arbitrary<Fault> {
  const names = [...surface.tables.values(), ...surface.functions.values()].flat();
  const column = fc.constantFrom(
    ...new Set(names),
    "nothing",
    '"quo""ted"',
    "ctid",
    "__proto__",
    "a->b",
    "id::text",
    "*",
    "",
  );
  const condition = (sign: string) =>
    fc
      .tuple(column, fc.constantFrom(...operators.split(" "), ""), valueText)
      .map(([name, operator, value]) => `${name}${sign}${operator}.${value}`);
  const { group } = fc.letrec<{ group: string }>((tie) => ({
    group: fc.oneof(
      { maxDepth: 25, withCrossShrink: false },
      condition(".").map((each) => `(${each})`),
      fc
        .tuple(condition("."), fc.constantFrom("and", "or", "not.and", "xor"), tie("group"))
        .map(([each, name, inner]) => `(${each},${name}${inner})`),
    ),
  }));
  const ending = fc.constantFrom(
    "",
    "::text",
    "::int4",
    "::regclass",
    "::text;",
    ".count()",
    "(*)",
    "->x",
    "!inner(*)",
    ".desc",
    ".desc.nullslast",
    ".sideways",
  );
  const list = fc
    .array(
      fc.tuple(column, ending).map((parts) => parts.join("")),
      { minLength: 1, maxLength: 6 },
    )
    .map((items) => items.join());
  const number = fc.constantFrom("0", "-1", "1e9", "9223372036854775808", "9".repeat(400), "x");
  return fault(
    "a hostile query",
    fc.oneof(
      fc.array(condition("="), { minLength: 1, maxLength: 4 }).map((filters) => filters.join("&")),
      group.map((text) => `or=${text}`),
      fc.tuple(group, fc.nat(60)).map(([text, length]) => `and=${text.slice(0, length)}`),
      fc.tuple(fc.constantFrom("select", "order", "columns"), list).map(([name, text]) => `${name}=${text}`),
      fc.tuple(fc.constantFrom("limit", "offset"), number).map(([name, text]) => `${name}=${text}`),
      column.map((name) => `select=${Array(1700).fill(name).join()}`),
      column.map((name) => Array(500).fill(`${name}=neq.1`).join("&")),
      column.map((name) => `${name}=in.(${Array.from({ length: 1500 }, (_, at) => at).join()})`),
    ),
    (draft, query) => {
      draft.query = query;
    },
  );
}
