import type { Random } from "../load/seeded-random.ts";
import type { Spoiler } from "./bad-bodies.ts";
import { setHeader } from "./draft.ts";
import { hostileTexts } from "./hostile-values.ts";

const long = "a".repeat(10_000);
const addresses = [
  "unknown",
  "",
  ",,,",
  "127.0.0.1",
  "::1",
  "1.2.3.4:5678",
  "[2001:db8::1]:80",
  "1.2.3.4, 5.6.7.8",
  "fe80::1%eth0",
  "999.1.1.1",
  "1.2.3.4/8",
  "' or 1=1--",
  "10.0.0.1,".repeat(500),
  "\xff",
];
const hosts = [
  "",
  "attack.example",
  "localhost:99999",
  "[::1",
  "localhost, attack.example",
  "a b",
  "localhost/x",
  "user@localhost",
  "\xff",
  "127.0.0.1",
  long,
];

/** Headers that the server or something below it reads, with values that lie. */
const lies: Readonly<Record<string, readonly string[]>> = {
  "X-Forwarded-For": addresses,
  Forwarded: ["for=1.2.3.4", 'for="[::1]"', ";;;"],
  "X-Real-IP": addresses,
  "CF-Connecting-IP": addresses,
  "X-Forwarded-Host": hosts,
  "X-Forwarded-Proto": ["https", "javascript", "http,https", ""],
  "X-Original-URL": ["/dev/mail.json"],
  "X-HTTP-Method-Override": ["DELETE", "PUT"],
  Host: hosts,
  Origin: ["null", "https://attack.example", "http://localhost", "x", "", "file://"],
  Referer: ["https://attack.example/", "\xff", ""],
  "Sec-Fetch-Site": ["cross-site", "same-origin", "none", "", "x", "same-origin, cross-site"],
  "Sec-Fetch-Mode": ["navigate", "x"],
  Authorization: [
    "",
    "Bearer",
    "Bearer ",
    "Bearer a",
    "Bearer a.b.c",
    "Bearer ..",
    "Bearer a.b.c.d",
    "Basic YTpi",
    "bearer sb_secret_x",
    `Bearer ${long}`,
    "Bearer eyJhbGciOiJub25lIn0.e30.",
    "Bearer \xff",
    "Negotiate x",
  ],
  apikey: [
    "",
    "x",
    "sb_secret_embedded",
    "service_role",
    "sb_publishable_embedded,sb_publishable_embedded",
    "\xff",
    long,
  ],
  Accept: [
    "",
    "text/html",
    "text/csv",
    "application/json;q=0",
    "*/*;q=x",
    "application/vnd.pgrst.object+json",
    "application/vnd.pgrst.plan",
    ",,,",
    "*/*,".repeat(1000),
    "application/json;nulls=stripped",
  ],
  "Accept-Encoding": ["br;q=x", "gzip;q=1.001", "*;q=0", "identity;q=0", ",".repeat(1000), "\xff", "br,".repeat(1000)],
  "Accept-Language": [long],
  "Accept-Profile": ["auth", "pg_catalog", "private", "", "public, auth", "__proto__", '"public"'],
  "Content-Profile": ["auth", "pg_catalog", "private", "", "supabase_migrations"],
  Prefer: [
    "count=exact",
    "count=exact, return=representation",
    "handling=strict, tx=rollback",
    "resolution=merge-duplicates",
    "missing=default",
    "return=headers-only",
    "max-affected=0",
    "params=single-object",
    ",,,",
    `count=${long}`,
    "count=planned",
  ],
  Range: [
    "0-9",
    "9-0",
    "-1",
    "0-",
    "bytes=0-99",
    "bytes=99-0",
    "bytes=0-0,1-1,2-2",
    "bytes=-1",
    `0-${"9".repeat(400)}`,
    "items=0-1",
    "1-1,2-2",
  ],
  "Range-Unit": ["items", "bytes", ""],
  "If-None-Match": ["*", '"x"', "W/", '"'.repeat(5000), ","],
  "If-Modified-Since": ["x", "Thu, 01 Jan 1970 00:00:00 GMT", "99999999999"],
  Cookie: ["a=b", ";;;", long, "__proto__=1", "\xff"],
  "User-Agent": ["", "() { :; }; echo", "<script>alert(1)</script>", "\xff", long, "' or 1=1--"],
  "X-Client-Info": [long],
  "X-Supabase-Api-Version": ["x", "9999-99-99", "", "1900-01-01"],
  "Access-Control-Request-Method": ["DELETE", "\xff"],
  "Access-Control-Request-Headers": [long, "*"],
  Connection: ["keep-alive", "upgrade", "apikey", "close, authorization", ""],
  Upgrade: ["websocket", "h2c", "x"],
  TE: ["trailers", "x"],
  Trailer: ["Content-Length", "apikey"],
  Expect: ["100-continue", "x", "200-ok"],
  "Proxy-Connection": ["keep-alive"],
  "Content-MD5": ["x"],
};

export const headerSpoilers: Record<string, Spoiler> = {
  "a lying header": lie,
  "several lying headers": (draft, random, index) => {
    for (let times = 0; times < 4; times++) lie(draft, random, index);
  },
  "a header twice": (draft, random, index) => {
    lie(draft, random, index);
    draft.headers = [...draft.headers, ...draft.headers.slice(-1)];
  },
  "another value of a header that is there": (draft, random) => {
    const [name = "apikey"] = random.pick(draft.headers) ?? [];
    draft.headers = [...draft.headers, [name, text(random)]];
  },
  "a header less": (draft, random) => {
    draft.headers = random.shuffled(draft.headers).slice(1);
  },
  "headers with hostile values": (draft, random) => {
    for (const name of random.shuffled(Object.keys(lies)).slice(0, 5)) setHeader(draft, name, text(random));
  },
  "800 headers": (draft) => {
    draft.headers = [...draft.headers, ...Array.from({ length: 800 }, (_, at): [string, string] => [`X-${at}`, "1"])];
  },
  "3,000 headers": (draft) => {
    draft.headers = [...draft.headers, ...Array.from({ length: 3000 }, (): [string, string] => ["X", ""])];
  },
  "a header of 20 KB": (draft) => setHeader(draft, "X-Long", "a".repeat(20_000)),
  "a header named __proto__": (draft) => setHeader(draft, "__proto__", "1"),
};

function lie(...[draft, random]: Parameters<Spoiler>) {
  const name = random.pick(Object.keys(lies));
  setHeader(draft, name, random.pick(lies[name] ?? [""]));
}

/** A text that can stand in a header. Line breaks are for `bad-messages.ts`: they make several headers of one. */
function text(random: Random): string {
  return random
    .pick(hostileTexts)
    .replace(/[\r\n]/g, " ")
    .slice(0, 2000);
}
