import { brotliCompressSync, gzipSync } from "node:zlib";
import { fc } from "#tests/support/seeded-fast-check";

/** What a fault may change in a request. */
export interface Draft {
  method: string;
  path: string;
  query: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface Fault {
  name: string;
  apply: (draft: Draft) => Partial<Draft>;
}

/** Everything that can be wrong with a request. `columns` are those that a query of the data API may abuse. */
export function faultsOf(columns: readonly string[]): fc.Arbitrary<Fault> {
  return fc.oneof(...bodyFaults, ...otherFaults, ...(columns.length > 0 ? [queryFault(columns)] : []));
}

function fault<T>(name: string, values: fc.Arbitrary<T>, apply: (draft: Draft, value: T) => Partial<Draft>) {
  return values.map((value): Fault => ({ name, apply: (draft) => apply(draft, value) }));
}

const bodyBytesMax = 1024 * 1024;
const long = "a".repeat(10_000);
const words = (text: string) => fc.constantFrom(...text.split(" "));

/** Texts that are awkward somewhere: in SQL, HTML, a URL, a mail header, an address, a number, or in Unicode. */
const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 100 }).map((text) => text.toWellFormed()),
  fc.constantFrom(
    ...["", " ", "\0", "a\0b", "\ufeff", "\u202eevil", "e\u0301".repeat(100), "𝒳".repeat(200), "İ@EXAMPLE.COM", "'"],
    ...["\\", "%", "%00", "%ff", "' or '1'='1", "'; select pg_sleep(20); --", "$1", "$$", "{{7*7}}", "{1,2}", "{", "("],
    ...["<script>alert(1)</script>", "../../../../etc/passwd", "\r\nBcc: victim@attack.example", "javascript:alert(1)"],
    ...["//attack.example", "https://localhost@attack.example/", "http://[::1", "a".repeat(100_000), "a@[127.0.0.1]"],
    ...["null", "NaN", "infinity", "epoch", "294277-01-01", "4714-01-01 BC", "-1", "1e400", "9223372036854775808"],
    ...["00000000-0000-0000-0000-000000000000", "__proto__", "constructor", "service_role", `a@${"b.".repeat(150)}c`],
    ...["ADMIN@SEEDED.EXAMPLE ", "admin@seeded.example\0", "admin@seeded.example,victim@attack.example"],
  ),
);

/** JSON texts of the wrong type, or at the edge of a type. */
const hostileJson = fc.oneof(
  hostileText.map((text) => JSON.stringify(text)),
  fc.json(),
  fc.constantFrom(
    ...["null", "true", "-0", "1e400", "9007199254740993", "9".repeat(10_000), "[]", "{}", "[null]", '"\\ud800"'],
    ...['{"__proto__": {"role": "service_role"}}', '{"constructor": {"prototype": {"role": "x"}}}', '{"": ""}'],
    ...["[".repeat(10_000), "[".repeat(10_000) + "]".repeat(10_000), `${'{"a":'.repeat(60)}1${"}".repeat(60)}`],
    ...[`{"${long}": 1}`, `"${"a".repeat(bodyBytesMax - 2000)}"`, `"${"a".repeat(bodyBytesMax)}"`],
    `[${Array(20_000).fill("{}").join()}]`,
  ),
);

function json<T>(name: string, values: fc.Arbitrary<T>, write: (body: string, value: T) => string | Buffer) {
  return fault(name, values, ({ headers, body }, value) => ({
    body: Buffer.from(write(body.toString(), value) as string),
    headers: { ...headers, "Content-Type": "application/json" },
  }));
}

const bomb = gzipSync(Buffer.alloc(10 * bodyBytesMax));
const newNames = "id submitted_at role is_admin app_metadata spam_reason __proto__ constructor";
const formNames = "name company email interest name[] name[__proto__] __proto__";
const formEndings = `& &name=% &name=%ff &name=%00 &name=again ${"&f=1".repeat(5000)}`;
const bodyFaults = [
  json("another value", hostileJson, (_body, value) => value),
  // Of two fields with one name the last one counts.
  json("a hostile field", fc.tuple(fc.nat(20), hostileJson), (body, [at, value]) => {
    const names = [...body.matchAll(/"(\w+)":/g)].map(([, name]) => name);
    return `${body.slice(0, -1)}, "${names[at % names.length]}": ${value}}`;
  }),
  json("a field more", fc.tuple(words(newNames), hostileJson), (body, [name, value]) => {
    return `{"${name}": ${value}, ${body.slice(1)}`;
  }),
  json("a field less", fc.nat(3), (body, at) => body.replace(RegExp(`^(\\{(?:[^,]*,){${at}})[^,]*,`), "$1")),
  json("JSON that is cut off", fc.nat(200), (body, length) => body.slice(0, length)),
  json("a changed byte", fc.tuple(fc.nat(200), fc.nat(255)), (body, [at, byte]) =>
    Buffer.from(body.slice(0, at) + String.fromCharCode(byte) + body.slice(at + 1), "latin1"),
  ),
  json("an array", hostileJson, (body, value) => `[${body}, ${value}]`),
  json("many rows", fc.constantFrom(20, 1001), (body, count) => `[${Array(count).fill(body.slice(0, 500))}]`),
  fault(
    "a form",
    fc.tuple(words(formNames), hostileText, words(formEndings)),
    ({ headers, body }, [name, value, end]) => {
      const form = new URLSearchParams(body.toString());
      form.set(name, value);
      return {
        body: Buffer.from(`${form}${end}`),
        headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" },
      };
    },
  ),
  fault("a compressed body", words("gzip br x"), ({ headers, body }, encoding) => ({
    body: encoding === "br" ? brotliCompressSync(body) : bomb,
    headers: { ...headers, "Content-Encoding": encoding },
  })),
  fault("random bytes as body", fc.uint8Array({ maxLength: 2000 }), (_draft, bytes) => ({ body: Buffer.from(bytes) })),
];

/** Headers that the server or something below it reads, with values that lie, between bars. */
const lies: Readonly<Record<string, string>> = {
  "X-Forwarded-For": "unknown||,,,|127.0.0.1|::1|1.2.3.4:5678|[2001:db8::1]:80|1.2.3.4, 5.6.7.8|fe80::1%eth0|\xff",
  "X-Forwarded-Host": "attack.example|a b|user@localhost",
  "X-HTTP-Method-Override": "DELETE|PUT",
  Host: "|attack.example|localhost:99999|[::1|localhost, attack.example|a b|\xff",
  Origin: "null|https://attack.example|x|file://",
  Authorization: `|Bearer|Bearer a.b.c|Bearer ..|Basic YTpi|Bearer eyJhbGciOiJub25lIn0.e30.|Bearer \xff|Bearer ${long}`,
  apikey: `|x|sb_secret_embedded|service_role|\xff|${long}`,
  Accept: "|text/csv|application/json;q=0|*/*;q=x|application/vnd.pgrst.object+json|application/vnd.pgrst.plan|,,,",
  "Accept-Encoding": `br;q=x|gzip;q=1.001|*;q=0|identity;q=0|\xff|${",".repeat(1000)}`,
  "Accept-Profile": "auth|pg_catalog|private||public, auth|__proto__",
  "Content-Profile": "auth|pg_catalog|private|",
  "Content-Type": ";|text/csv|multipart/form-data; boundary=x|application/json; charset=utf-16|\xff\xfe",
  Prefer: `count=exact|count=exact, return=representation|handling=strict, tx=rollback|max-affected=0|count=${long}`,
  Range: `0-9|9-0|-1|0-|bytes=99-0|bytes=0-0,1-1|0-${"9".repeat(400)}`,
  "If-None-Match": '*|"x"|W/|,',
  Cookie: `a=b|;;;|__proto__=1|\xff|${long}`,
  "User-Agent": `|() { :; }; echo|<script>alert(1)</script>|\xff|${long}`,
  "X-Long": `${long}${long}`,
  Expect: "100-continue|x",
};
const lie = fc.constantFrom(...Object.keys(lies)).chain((name) =>
  fc
    .oneof(
      fc.constantFrom(...(lies[name] ?? "").split("|")),
      // The client of Node refuses other characters in a header.
      hostileText.map((text) => text.replace(/[^\x20-\xff]|\x7f/gu, " ").slice(0, 2000)),
    )
    .map((value) => [name, value] as const),
);

const escaped = (text: string) => encodeURIComponent(text.slice(0, 1000).toWellFormed());
const methods = "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY PROPFIND SEARCH LINK";
const pathEndings = `/ // /..%2f..%2fetc/passwd /../../../etc/passwd %00 % %ff \xff ;a=b \\ /${long} %0d%0aX-Injected:%201`;
const parameterNames =
  "select order limit offset apikey grant_type type token token_hash scope redirect_to key or columns on_conflict __proto__";
const otherFaults = [
  fault("another method", words(methods), (_draft, method) => ({ method })),
  fault("a longer path", words(pathEndings), ({ path }, ending) => ({ path: path + ending })),
  fault("another path", words("/.env * /rest/v1/__proto__ //attack.example"), (_draft, path) => ({ path })),
  fault("hostile parameters", fc.array(fc.tuple(words(parameterNames), hostileText)), ({ query }, parameters) => ({
    query: [query, ...parameters.map(([name, value]) => `${name}=${escaped(value)}`)].join("&"),
  })),
  fault("a broken query", words(`&% &%f=%f &a=%ff%fe &a=%00 &a=\xff &=&& ?x #x &x=${long}`), ({ query }, more) => ({
    query: query + more,
  })),
  fault("lying headers", fc.array(lie, { minLength: 1, maxLength: 4 }), ({ headers }, more) => ({
    headers: { ...headers, ...Object.fromEntries(more) },
  })),
  fault("many headers", fc.constantFrom(800, 3000), ({ headers }, count) => ({
    headers: { ...headers, ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`X-${at}`, "1"])) },
  })),
];

const operators =
  "eq neq gt gte lt lte like ilike match imatch match(any) in is isdistinct fts cs ov not.eq not.in not.not.eq like(all) EQ";
const endings = "::text ::int4 ::regclass ::text; .count() (*) ->x !inner(*) .desc .desc.nullslast .sideways";

/** Abuse of the query language of `/rest/v1` (docs/protocol.md#filters). */
function queryFault(columns: readonly string[]): fc.Arbitrary<Fault> {
  const column = fc.constantFrom(...columns, "nothing", '"quo""ted"', "ctid", "__proto__", "a->b", "id::text", "*", "");
  const value = fc.oneof(hostileText.map(escaped), words('null (1,2) ( {1} " \\ now 1/**/or/**/1=1 true *'));
  const condition = fc.tuple(column, words(operators), value);
  const group = fc
    .array(fc.tuple(words("and or not.and xor"), condition), { minLength: 1, maxLength: 25 })
    .map((parts) => parts.reduce((inner, [name, each]) => `(${each.join(".")},${name}${inner})`, "(id.eq.1)"));
  const list = fc.array(
    fc.tuple(column, words(endings)).map((parts) => parts.join("")),
    { minLength: 1, maxLength: 6 },
  );
  const query = fc.oneof(
    condition.map(([name, operator, text]) => `${name}=${operator}.${text}`),
    fc
      .tuple(words("and or"), group, fc.constantFrom(60, 10_000))
      .map(([name, text, end]) => `${name}=${text.slice(0, end)}`),
    fc.tuple(words("select order columns"), list).map(([name, items]) => `${name}=${items}`),
    fc
      .tuple(words("limit offset"), words(`0 -1 1e9 9223372036854775808 x ${"9".repeat(400)}`))
      .map((parts) => parts.join("=")),
    column.map((name) => `select=${Array(1700).fill(name)}`),
    column.map((name) => `${name}=in.(${[...Array(1500).keys()]})`),
  );
  return fault("a hostile query", query, (_draft, query) => ({ query }));
}
