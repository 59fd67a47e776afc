import { fc } from "#tests/support/property";
import { fault, hostileText } from "./fault.ts";
import { setHeader } from "./valid-request.ts";

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
  // Line breaks would make several headers of one, or a second request.
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
