import type { Random } from "../load/seeded-random.ts";
import type { Spoiler } from "./bad-bodies.ts";
import { hostileTexts } from "./hostile-values.ts";
import type { Surface } from "./surface.ts";

const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "QUERY",
  "PROPFIND",
  "SEARCH",
  "LINK",
];

/** How deep a generated filter may nest. The server refuses more than 20 levels. */
const depthMax = 25;

export const addressSpoilers: Record<string, Spoiler> = {
  "another method": (draft, random) => {
    draft.method = random.pick(methods);
  },
  "a changed path": (draft, random) => {
    draft.path = changedPath(draft.path, random);
  },
  "hostile parameters": (draft, random) => {
    draft.query = Array.from({ length: 1 + random.below(4) }, () => parameter(random)).join("&");
  },
  "parameters with hostile values": (draft, random) => {
    const given = [...new URLSearchParams(draft.query)];
    draft.query = new URLSearchParams(
      given.map(([name, value]) => [name, random.below(2) ? value : random.pick(hostileTexts)]),
    ).toString();
  },
  "broken escapes in the query": (draft, random) => {
    draft.query += random.pick([
      "&%",
      "&%f=%f",
      "&a=%ff%fe",
      "&a=%00",
      "&%c0%80=1",
      "&a=\xff",
      "&=",
      "&&&&",
      "?x?y",
      "&a[]=1&a[b]=2",
      "#x",
    ]);
  },
  "a parameter repeated": (draft, random) => {
    draft.query = `${draft.query}&${draft.query}&${parameter(random)}`;
  },
  "a query of 12 KB": (draft, random) => {
    draft.query = `${draft.query}&${parameter(random)}&x=${random.pick(["a", "%41", "(", "%20"]).repeat(4000)}`;
  },
};

/** Abuse of the query language of `/rest/v1` (docs/protocol.md#filters). */
export function querySpoilers(surface: Surface): Record<string, Spoiler> {
  const names = [...surface.tables.values(), ...surface.functions.values()].flat();
  const columns = [...new Set(names), "nothing", '"quo""ted"', "ctid", "__proto__", "a->b", "id::text", "*", ""];
  const set =
    (...parts: ((random: Random) => string)[]): Spoiler =>
    (draft, random) => {
      draft.query = parts.map((part) => part(random)).join("&");
      if (random.below(3) === 0) draft.query += `&order=${orderBy(columns, random)}`;
      if (random.below(6) === 0)
        draft.query += `&limit=${random.pick(["0", "-1", "1e9", "9223372036854775808", "9".repeat(400)])}`;
      if (random.below(6) === 0)
        draft.query += `&offset=${random.pick(["-5", "9223372036854775807", "x", "1".repeat(400)])}`;
    };
  return {
    "a filter": set((random) => filter(columns, random)),
    "several filters": set(...Array.from({ length: 4 }, () => (random: Random) => filter(columns, random))),
    "nested filters": set(
      (random) =>
        `${random.pick(["and", "or", "not.and", "not.or"])}=${group(columns, random, random.below(depthMax))}`,
    ),
    "broken nested filters": set((random) => `or=${cut(group(columns, random, 3), random)}`),
    "a select": set((random) => `select=${select(columns, random)}`),
    "a select of 1,700 columns": set((random) => `select=${Array(1700).fill(random.pick(columns)).join()}`),
    "a select of all columns 300 times": set(() => `select=${Array(300).fill("*").join()}`),
    "an order of 1,700 columns": set((random) => `order=${Array(1700).fill(random.pick(columns)).join()}`),
    "a long list": set(
      (random) => `${random.pick(columns)}=in.(${Array.from({ length: 1500 }, (_, at) => at).join()})`,
    ),
    "500 filters": set((random) => Array.from({ length: 500 }, () => `${random.pick(columns)}=neq.1`).join("&")),
    "columns to write": set(
      (random) => `columns=${Array.from({ length: random.below(5) }, () => column(columns, random)).join()}`,
    ),
    "arguments of a function": set((random) =>
      Array.from({ length: 1 + random.below(3) }, () => `${column(columns, random)}=${value(random)}`).join("&"),
    ),
  };
}

const operators = [
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "like",
  "ilike",
  "match",
  "imatch",
  "match(any)",
  "not.imatch(all)",
  "isdistinct",
  "in",
  "is",
  "fts",
  "cs",
  "cd",
  "ov",
  "sl",
  "not.eq",
  "not.in",
  "not.not.eq",
  "eq(any)",
  "like(all)",
  "EQ",
  "eq.eq",
  "",
];
const casts = [
  "text",
  "int4",
  "uuid",
  "json",
  "regclass",
  "timestamptz",
  "numeric",
  "bool",
  "xml",
  "int4[]",
  '"int4"',
  "text;",
  "pg_catalog.text",
];

function filter(columns: readonly string[], random: Random): string {
  return `${column(columns, random)}=${random.pick(operators)}.${value(random)}`;
}

function value(random: Random): string {
  const list = () => Array.from({ length: random.below(4) }, () => encodeURIComponent(wellFormed(random))).join();
  const written = [
    () => encodeURIComponent(wellFormed(random)),
    () => `(${list()})`,
    () => `{${list()}}`,
    () => `"${list()}`,
    () => random.pick(["null", "not_null", "true", "unknown", "NULL"]),
    () => random.pick(["%25", "_", "*", "\\\\", "%25_".repeat(500), "\\", "%5C"]),
    () => random.pick(["1", "2020-01-01", "now", "infinity", "1e400", "'1'", "1--", "1/**/or/**/1=1", "-0"]),
  ];
  return random.pick(written)();
}

function group(columns: readonly string[], random: Random, depth: number): string {
  if (depth === 0) return `(${column(columns, random)}.${random.pick(operators)}.${value(random)})`;
  const inner = `${random.pick(["and", "or", "not.and", "not.or", "xor"])}${group(columns, random, depth - 1)}`;
  return `(${column(columns, random)}.${random.pick(operators)}.${value(random)},${inner})`;
}

function select(columns: readonly string[], random: Random): string {
  const item = () => {
    const name = column(columns, random);
    const alias = random.pick(["", "", "a:", `${"a".repeat(100)}:`, '"a""b":', "%00:", "*:", '"":']);
    const ending = random.pick(["", "", `::${random.pick(casts)}`, ".count()", "(*)", "->x", "->>x", "!inner(*)"]);
    return `${alias}${name}${ending}`;
  };
  return Array.from({ length: 1 + random.below(6) }, item).join(random.pick([",", ",", ",,", ";", "%2C"]));
}

function orderBy(columns: readonly string[], random: Random): string {
  const endings = ["", ".asc", ".desc", ".desc.nullslast", ".nullsfirst", ".sideways", ".asc.desc", "; select 1"];
  return Array.from({ length: 1 + random.below(4) }, () => column(columns, random) + random.pick(endings)).join();
}

function column(columns: readonly string[], random: Random): string {
  return random.below(8) === 0 ? encodeURIComponent(wellFormed(random)) : random.pick(columns);
}

function cut(text: string, random: Random): string {
  return text.slice(0, random.below(text.length)) + random.pick(["", ")", "(", ",", ".", '"', "\\"]);
}

/** `encodeURIComponent` throws for half a surrogate pair. */
function wellFormed(random: Random): string {
  return random.pick(hostileTexts).toWellFormed().slice(0, 1000);
}

function parameter(random: Random): string {
  const names = [
    "select",
    "order",
    "limit",
    "apikey",
    "grant_type",
    "type",
    "token",
    "token_hash",
    "scope",
    "redirect_to",
    "key",
    "or",
    "__proto__",
    "x",
  ];
  return `${random.pick(names)}=${value(random)}`;
}

function changedPath(path: string, random: Random): string {
  const changes: ((path: string) => string)[] = [
    (path) => `/${path}`,
    (path) => `${path}/`,
    (path) => `${path}//`,
    (path) => `${path}/..%2f..%2fetc/passwd`,
    (path) => `${path}/../../../etc/passwd`,
    (path) => path.replace(/^\/\w*/, "$&/%2e%2e"),
    (path) => path.replaceAll("/", "%2f"),
    (path) => path.replaceAll("/", "\\"),
    (path) => path.toUpperCase(),
    (path) => `${path}%00`,
    (path) => `${path}%`,
    (path) => `${path}%ff`,
    (path) => `${path}\xff`,
    (path) => `${path};a=b`,
    (path) => `${path}.json`,
    (path) => `${path}%0d%0aX-Injected:%201`,
    (path) => `${path}/${"a/".repeat(2000)}`,
    (path) => `${path}/${"a".repeat(12_000)}`,
    (path) => path.replace(/[^/]*$/, encodeURIComponent(wellFormed(random))),
    (path) => path.replace(/[^/]*$/, "__proto__"),
    (path) => path.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    () => "/.env",
    () => "/.git/config",
    () => "*",
    () => "",
  ];
  return random.pick(changes)(path);
}
