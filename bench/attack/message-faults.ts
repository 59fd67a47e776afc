import { fc } from "#tests/support/property";
import { fault, hostileText } from "./fault.ts";
import { type Draft, markOf, newContact, render, setHeader } from "./valid-request.ts";

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

export const headerFaults = fc.oneof(
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

export const messageFaults = fc.oneof(
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
