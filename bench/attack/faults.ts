import { brotliCompressSync, gzipSync } from "node:zlib";
import { fc } from "#tests/support/property";
import type { Surface } from "./surface.ts";
import { type Draft, formType, markOf, newContact, render, setHeader } from "./valid-request.ts";

/** Something that is wrong with a request: a name for the report, and the change of the draft. */
export interface Fault {
  name: string;
  apply: (draft: Draft, index: number) => void;
}

function fault<T>(name: string, values: fc.Arbitrary<T>, apply: (draft: Draft, value: T, index: number) => void) {
  return values.map((value): Fault => ({ name, apply: (draft, index) => apply(draft, value, index) }));
}

const bodyBytesMax = 1024 * 1024;
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

/** Texts that are awkward somewhere: in SQL, HTML, a URL, a mail header, an address, a number, or in Unicode. */
const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.constantFrom(
    ...["", " ", "\0", "a\0b", "\ufeff", "\u202eevil", "e\u0301".repeat(100), "𝒳".repeat(200), "İ@EXAMPLE.COM", "'"],
    ...["\\", "%", "%00", "%ff", "' or '1'='1", "'; select pg_sleep(20); --", "$1", "$$", "{{7*7}}", "{1,2}", "{", "("],
    ...["<script>alert(1)</script>", "../../../../etc/passwd", "\r\nBcc: victim@attack.example", "javascript:alert(1)"],
    ...[
      "//attack.example",
      "/\\attack.example",
      "https://localhost@attack.example/",
      "http://[::1",
      "a".repeat(100_000),
    ],
    ...["null", "NaN", "infinity", "epoch", "294277-01-01", "4714-01-01 BC", "-1", "1e400", "9223372036854775808"],
    ...["00000000-0000-0000-0000-000000000000", "__proto__", "constructor", "postgres", "service_role", "@"],
    ...[`a@${"b.".repeat(150)}example`, '"a b"@attack.example', "a@[127.0.0.1]", "admin@seeded.example\0"],
    ...["ADMIN@SEEDED.EXAMPLE ", "admin@seeded.example,victim@attack.example", "1) union select 1 --"],
  ),
);

/** JSON texts of the wrong type, or at the edge of a type. */
const hostileJson = fc.oneof(
  hostileText.map((text) => JSON.stringify(text)),
  fc.json(),
  fc.constantFrom(
    ...[
      "null",
      "true",
      "-0",
      "1e400",
      "1e-400",
      "9007199254740993",
      "9".repeat(10_000),
      "[]",
      "{}",
      "[null]",
      '"\\ud800"',
    ],
    ...['{"__proto__": {"role": "service_role"}}', '{"constructor": {"prototype": {"role": "x"}}}', '{"toString": 1}'],
    ...['{"a": 1, "a": 2}', '{"": ""}', `{"${"k".repeat(10_000)}": 1}`, nested(60), nested(10_000)],
    JSON.stringify("a".repeat(bodyBytesMax - 2000)),
  ),
);

const json = <T>(
  name: string,
  values: fc.Arbitrary<T>,
  write: (body: string, value: T, index: number) => string | Buffer,
) =>
  fault(name, values, (draft, value, index) => {
    draft.body = Buffer.from(write(draft.body.toString(), value, index) as string);
    setHeader(draft, "Content-Type", "application/json");
  });
const form = <T>(name: string, values: fc.Arbitrary<T>, write: (fields: [string, string][], value: T) => string) =>
  fault(name, values, (draft, value) => {
    const fields = fieldsOf(draft.body).map(([field, text]): [string, string] => [field, `${text}`.toWellFormed()]);
    draft.body = Buffer.from(write(fields, value));
    setHeader(draft, "Content-Type", formType);
  });
const rows = (count: number, index: number) =>
  JSON.stringify(Array.from({ length: count }, (_, number) => newContact(index, number)));
const escaped = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`;
const newNames = "id submitted_at role is_admin app_metadata spam_reason __proto__ constructor email_confirmed_at";

const bodyFaults = fc.oneof(
  json("a value instead of an object", hostileJson, (_body, value) => value),
  json("a hostile field", fc.tuple(fc.nat(20), hostileJson), (body, [at, value]) => {
    const fields = fieldsOf(Buffer.from(body));
    const changed = fields.map(([name, old], each) => [
      name,
      each === at % fields.length ? value : JSON.stringify(old),
    ]);
    return `{${changed.map(([name, text]) => `${JSON.stringify(name)}: ${text}`).join()}}`;
  }),
  json(
    "a field more",
    fc.tuple(fc.constantFrom(...newNames.split(" ")), hostileJson),
    (body, [name, value]) => `{"${name}": ${value}, ${body.slice(1)}`,
  ),
  json("a field less", fc.nat(20), (body, at) => {
    const fields = fieldsOf(Buffer.from(body));
    return JSON.stringify(Object.fromEntries(fields.toSpliced(at % (fields.length + 1), 1)));
  }),
  json("JSON that is cut off", fc.nat(200), (body, length) => body.slice(0, length)),
  json("changed bytes", fc.tuple(fc.nat(200), fc.nat(255)), (body, [at, byte]) => {
    const bytes = Buffer.from(body);
    if (at < bytes.length) bytes[at] = byte;
    return bytes;
  }),
  json("nesting", fc.constantFrom("[".repeat(10_000), nested(10_000), '{"a":'.repeat(10_000)), (_body, text) => text),
  json("more than 1 MiB", fc.constant(`"${"a".repeat(bodyBytesMax)}"`), (_body, text) => text),
  json("other characters", fc.constantFrom("\ufeff", "\0", "\xff", "utf16le"), (body, sign) =>
    sign === "utf16le" ? Buffer.from(body, sign) : Buffer.from(body.slice(0, -2) + sign + body.slice(-2), "latin1"),
  ),
  json("many rows", fc.constantFrom(20, 1001), (_body, count, index) => rows(count, index)),
  json("20,000 empty rows", fc.constant(`[${Array(20_000).fill("{}").join()}]`), (_body, text) => text),
  json("an array", hostileJson, (body, value) => `[${body}, ${value}]`),
  form("a form", hostileText, (fields, value) => `${new URLSearchParams([...fields, ["name", value.toWellFormed()]])}`),
  form("a form of arrays", fc.constantFrom("[]", "[a][b]", "[__proto__]", "%5B%5D"), (fields, ending) =>
    fields.map(([name, value]) => escaped(name + ending, value)).join("&"),
  ),
  form("broken escapes", fc.constantFrom("%", "%f", "%ff", "%00", "%c0%80"), (fields, ending) =>
    fields.map(([name, value]) => escaped(name, value) + ending).join("&"),
  ),
  form(
    "a large form",
    fc.constantFrom("f=1&".repeat(5000), "&=".repeat(3000), `name=${"a".repeat(100_000)}`),
    (_, text) => text,
  ),
  fault(
    "another content type",
    fc.constantFrom(
      "",
      ";",
      "text/csv",
      formType,
      "multipart/form-data",
      "application/json; charset=utf-16",
      "\xff\xfe",
    ),
    (draft, type) => setHeader(draft, "Content-Type", type),
  ),
  fault("a multipart body", fc.constantFrom("--x--\r\n", ""), (draft, ending) => {
    const part = 'Content-Disposition: form-data; name="email"\r\n\r\na@attack.example\r\n';
    draft.body = Buffer.from(`--x\r\n${part}${ending}`);
    setHeader(draft, "Content-Type", "multipart/form-data; boundary=x");
  }),
  fault(
    "a compressed body",
    fc.tuple(fc.constantFrom("gzip", "br", "x"), fc.boolean()),
    (draft, [encoding, isBomb]) => {
      const content = isBomb ? Buffer.alloc(10 * bodyBytesMax) : draft.body;
      draft.body = encoding === "br" ? brotliCompressSync(content) : gzipSync(content);
      setHeader(draft, "Content-Encoding", encoding);
    },
  ),
  fault("random bytes as body", fc.uint8Array({ maxLength: 2000 }), (draft, bytes) => {
    draft.body = Buffer.from(bytes);
  }),
);

/** At most twenty fields of a JSON object or a form. Objects in it are left out: they may be too deep to be written again. */
function fieldsOf(body: Buffer): [string, unknown][] {
  const text = body.toString();
  try {
    const fields: [string, unknown][] = Object.entries(JSON.parse(text));
    return fields.slice(0, 20).map(([name, value]) => [name.toWellFormed(), typeof value === "object" ? {} : value]);
  } catch {
    return text.includes("=") ? [...new URLSearchParams(text)].slice(0, 20) : [];
  }
}

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

const addressFaults = fc.oneof(
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
function queryFaults(surface: Surface): fc.Arbitrary<Fault> {
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

const long = "a".repeat(10_000);
/** Headers that the server or something below it reads, with values that lie, between bars. */
const lies: Readonly<Record<string, string>> = {
  "X-Forwarded-For":
    "unknown||,,,|127.0.0.1|::1|1.2.3.4:5678|[2001:db8::1]:80|1.2.3.4, 5.6.7.8|fe80::1%eth0|1.2.3.4/8|\xff",
  "X-Forwarded-Host": "attack.example|a b|user@localhost",
  "X-Forwarded-Proto": "https|javascript|http,https|",
  "X-HTTP-Method-Override": "DELETE|PUT",
  Host: "|attack.example|localhost:99999|[::1|localhost, attack.example|a b|localhost/x|\xff",
  Origin: "null|https://attack.example|x||file://",
  "Sec-Fetch-Site": "cross-site|same-origin|none||x",
  Authorization: `|Bearer|Bearer a|Bearer a.b.c|Bearer ..|Basic YTpi|Bearer eyJhbGciOiJub25lIn0.e30.|Bearer \xff|Bearer ${long}`,
  apikey: `|x|sb_secret_embedded|service_role|\xff|${long}`,
  Accept:
    "|text/html|text/csv|application/json;q=0|*/*;q=x|application/vnd.pgrst.object+json|application/vnd.pgrst.plan|,,,",
  "Accept-Encoding": `br;q=x|gzip;q=1.001|*;q=0|identity;q=0|\xff|${",".repeat(1000)}`,
  "Accept-Profile": "auth|pg_catalog|private||public, auth|__proto__",
  "Content-Profile": "auth|pg_catalog|private|",
  Prefer: `count=exact|count=exact, return=representation|handling=strict, tx=rollback|resolution=merge-duplicates|max-affected=0|count=${long}`,
  Range: `0-9|9-0|-1|0-|bytes=0-99|bytes=99-0|bytes=0-0,1-1|0-${"9".repeat(400)}`,
  "If-None-Match": '*|"x"|W/|,',
  "If-Modified-Since": "x|Thu, 01 Jan 1970 00:00:00 GMT",
  Cookie: `a=b|;;;|__proto__=1|\xff|${long}`,
  "User-Agent": `|() { :; }; echo|<script>alert(1)</script>|\xff|${long}`,
  "X-Supabase-Api-Version": "x|9999-99-99|",
  "Access-Control-Request-Method": "DELETE|\xff",
  Connection: "keep-alive|upgrade|close, authorization|",
  Upgrade: "websocket|h2c|x",
  Expect: "100-continue|x",
};
const lie = fc.oneof(
  ...Object.entries(lies).map(([name, values]) =>
    fc.constantFrom(...values.split("|")).map((value): [string, string] => [name, value]),
  ),
  // Line breaks would make several headers of one: those are among the faults of messages.
  fc.tuple(
    fc.constantFrom(...Object.keys(lies)),
    hostileText.map((text) => text.replace(/[\r\n]/g, " ").slice(0, 2000)),
  ),
);

const headerFaults = fc.oneof(
  fault("lying headers", fc.array(lie, { minLength: 1, maxLength: 4 }), (draft, headers) => {
    for (const [name, value] of headers) setHeader(draft, name, value);
  }),
  fault("a header twice", lie, (draft, header) => draft.headers.push(header, header)),
  fault("a header less", fc.nat(5), (draft, at) => draft.headers.splice(at, 1)),
  fault("many headers", fc.constantFrom(800, 3000), (draft, count) =>
    draft.headers.push(...Array.from({ length: count }, (_, at): [string, string] => [`X-${at}`, "1"])),
  ),
  fault("a header of 20 KB", fc.constantFrom("X-Long", "__proto__"), (draft, name) =>
    setHeader(draft, name, "a".repeat(20_000)),
  ),
);

/** Changes the bytes of the message. `until` is "end" where the server may wait for the rest of it. */
const rewrite =
  (until: Draft["until"]) =>
  <T>(name: string, values: fc.Arbitrary<T>, change: (message: string, value: T, index: number) => string) =>
    fault(name, values, (draft, value, index) => {
      draft.rewrite = (message) => change(message, value, index);
      draft.until = until;
    });
const [whole, several, broken] = [rewrite("answer"), rewrite("close"), rewrite("end")];
const firstLine = (name: string, ...changes: ((method: string, target: string) => string)[]) =>
  broken(name, fc.constantFrom(...changes), (message, change) =>
    message.replace(/^(\S*) (\S*) [^\r]*/, (_all, method, target) => change(method, target)),
  );

/** A contact that must not be stored, because no reading of the message makes it a request of its own. */
function smuggledContact(index: number): string {
  const headers: Draft["headers"] = [
    ["Host", "localhost"],
    ["Content-Type", "application/json"],
  ];
  const body = Buffer.from(JSON.stringify({ ...newContact(index), name: `smuggled ${markOf(index)}` }));
  const draft = { method: "POST", path: "/rest/v1/contacts", query: "", rewrite: String, until: "close" } as const;
  return render({ ...draft, headers, body }).toString("latin1");
}

/** What stands between the head of a request and the smuggled contact: its end is ambiguous. */
const ambiguous: readonly ((inner: string) => string)[] = [
  (inner) => `Content-Length: ${inner.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
  (inner) =>
    `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
  (inner) => `Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
  (inner) => `Content-Length: 0, ${inner.length}\r\n\r\n${inner}`,
  (inner) => `Content-Length: ${inner.length}\r\n\r\n${inner}`,
  ...[
    "xchunked",
    "chunked, identity",
    "\x0bchunked",
    "identity",
    "chunked\r\nTransfer-Encoding: x",
    "\r\n chunked",
  ].map(
    (coding) => (inner: string) =>
      `Content-Length: ${inner.length + 5}\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n${inner}`,
  ),
  ...["0x1f", "-1", "fffffffffffffffff", "+1f", "", "g", "0\n1f", `1f;${"x".repeat(20_000)}`].map(
    (size) => (inner: string) => `Transfer-Encoding: chunked\r\n\r\n${size}\r\n${inner}\r\n0\r\n\r\n`,
  ),
];

const oddLines = [
  ...[
    "no colon",
    ": no name",
    "sp ace: 1",
    "X-Nul: a\0b",
    "X\x00: 1",
    "X-Space : 1",
    "(x): 1",
    "\xff: 1",
    "X-CR: a\rb",
  ],
  ...[
    "X-Folded: a\r\n b",
    "X".repeat(20_000),
    "Host: attack.example",
    "Content-Length: 0",
    "Transfer-Encoding: chunked",
  ],
  ...["Content-Length: -1", "Content-Length: 0x5", "Content-Length: 99999999999999999999", "Expect: x", "apikey: x"],
];
const otherProtocols = [
  ...["\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "SSH-2.0-OpenSSH_9.9\r\n"],
  ...["EHLO attack.example\r\n", "\x00\x00\x00\x08\x04\xd2\x16\x2f", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n\r\n", ""],
];

const messageFaults = fc.oneof(
  whole("a smuggled contact", fc.constantFrom(...ambiguous), (message, ambiguousEnd, index) => {
    const [line = ""] = message.split("\r\n");
    return `${line.replace(/^\S*/, "POST")}\r\nHost: localhost\r\n${ambiguousEnd(smuggledContact(index))}`;
  }),
  broken("a message that is cut off", fc.nat(400), (message, length) => message.slice(0, length)),
  broken(
    "changed bytes",
    fc.tuple(fc.nat(300), fc.nat(255)),
    (message, [at, byte]) => message.slice(0, at) + String.fromCharCode(byte) + message.slice(at + 1),
  ),
  broken("an odd line", fc.constantFrom(...oddLines), (message, line) =>
    message.replace("\r\n", () => `\r\n${line}\r\n`),
  ),
  broken("other line ends", fc.constantFrom("\n", "\r"), (message, end) => message.replaceAll("\r\n", end)),
  whole("empty lines before", fc.nat(50), (message, count) => "\r\n".repeat(count) + message),
  broken("a body in broken chunks", fc.constantFrom("5\r\nabc", "3\r\nabc\r\n0\r\nX: 1\r\n\r\n"), (message, chunks) =>
    message
      .replace(/Content-Length: \d+/, "Transfer-Encoding: chunked")
      .replace(/\r\n\r\n[\s\S]*/, () => `\r\n\r\n${chunks}`),
  ),
  broken(
    "another protocol",
    fc.oneof(fc.constantFrom(...otherProtocols), fc.string({ maxLength: 300 })),
    (_message, text) => text,
  ),
  several(
    "requests at once",
    fc.integer({ min: 2, max: 12 }),
    (message, count) => message.replace(/Connection: close\r\n/, "").repeat(count - 1) + message,
  ),
  broken(
    "a bad message between others",
    fc.constantFrom("\0", "x\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"),
    (message, middle) => message.replace(/Connection: close\r\n/, "") + middle + message,
  ),
  firstLine(
    "another version",
    ...["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/11", "http/1.1", "HTTP/1.1 x", "", "RTSP/1.0"].map(
      (version) => (method: string, target: string) => `${method} ${target} ${version}`,
    ),
  ),
  firstLine(
    "another form of address",
    ...[
      "http://attack.example$",
      "https://user:pass@localhost$",
      "//attack.example$",
      "file://$",
      "localhost:80",
      "$\0",
      "$ b",
      "$\xff",
    ].map((address) => (method: string, target: string) => `${method} ${address.replace("$", () => target)} HTTP/1.1`),
  ),
  firstLine(
    "an odd method",
    ...["get", "CONNECT", "PRI", "\0", "'", "A".repeat(5000)].map(
      (method) => (_: string, target: string) => `${method} ${target} HTTP/1.1`,
    ),
    (method, target) => `${method}\t${target}\tHTTP/1.1`,
    (method) => method,
  ),
);

/** Everything that can be wrong with a request. A second fault may come on top. */
export function faults(surface: Surface, url: string): fc.Arbitrary<Fault[]> {
  const kinds = [bodyFaults, addressFaults, headerFaults, messageFaults];
  const any = fc.oneof(...kinds, ...(url.startsWith("/rest/") ? [queryFaults(surface)] : []));
  return fc.array(any, { minLength: 1, maxLength: 2 });
}
