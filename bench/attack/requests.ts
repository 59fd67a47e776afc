import { gzipSync } from "node:zlib";
import type pg from "pg";
import type { SigningKeys } from "#backend/auth/tokens/signing-keys";
import { CapturedMailbox } from "#server/mail/dev-mailbox";
import { defaultPublicKey } from "#server/settings";
import { startServer } from "../../tests/policies/access-http.ts";
import { newContact, publicAddress } from "../load/requests.ts";
import type { Random } from "../load/seeded-random.ts";
import { emails, password } from "./target.ts";

/** Everything that a stranger can address. */
export interface Surface {
  /** As Fastify knows them: `/rest/v1/*`, `/auth/v1/factors/:id`. */
  routes: readonly { method: string; url: string }[];
  /** The tables and views in schema public with their columns, and the functions, as `rpc/name`, with their parameters. */
  relations: ReadonlyMap<string, readonly string[]>;
}

/**
 * Asks the app itself for its routes, and the database for its tables, so that a new one is attacked too. The app that is
 * asked does not listen.
 */
export async function readSurface(database: pg.Pool): Promise<Surface> {
  const backend = { owner: database, caller: database, keys: {} as SigningKeys, mailbox: new CapturedMailbox() };
  const { app, routes } = await startServer({ backend, assets: new Map() });
  await app.close();
  const relations = await database.query<{ name: string; parts: string[] }>(
    `select relname as name, array_agg(attname::text order by attnum) as parts
     from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f') group by relname
     union all
     select 'rpc/' || proname, coalesce(proargnames, '{}') from pg_proc where pronamespace = 'public'::regnamespace
     order by 1, 2`,
  );
  return {
    routes: routes.flatMap(({ method, url }) => [method].flat().map((each) => ({ method: each, url }))),
    relations: new Map(relations.rows.map(({ name, parts }) => [name, parts])),
  };
}

const callers = ["visitor", "member", "admin"] as const;

export interface BadRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Each contact in the request has this number in its address. */
  number: number;
  /** Whose token it carries. */
  as: (typeof callers)[number];
}

const long = "a".repeat(10_000);
const bodyBytesMax = 1024 * 1024;

/** Texts that are awkward somewhere: in SQL, HTML, a URL, a mail header, an address, a number, or in Unicode. */
const texts = [
  ...["", " ", "\0", "a\0b", "\ufeff", "\u202eevil", "e\u0301".repeat(100), "𝒳".repeat(200), "İ@EXAMPLE.COM", "'"],
  ...["\\", "%", "%00", "%ff", "' or '1'='1", "'; select pg_sleep(20); --", "$1", "$$", "{1,2}", "{", "(", "__proto__"],
  ...["<script>alert(1)</script>", "../../../../etc/passwd", "\r\nBcc: victim@attack.example", "javascript:alert(1)"],
  ...["//attack.example", "https://localhost@attack.example/", "http://[::1", "a".repeat(100_000), "a@[127.0.0.1]"],
  ...["null", "NaN", "infinity", "294277-01-01", "4714-01-01 BC", "-1", "1e400", "9223372036854775808", "*", "\xff"],
  ...["00000000-0000-0000-0000-000000000000", "service_role", "ADMIN@SEEDED.EXAMPLE ", "admin@seeded.example\0"],
];
/** JSON of the wrong type, or at the edge of a type. */
const jsons = [
  ...["null", "true", "-0", "1e400", "9007199254740993", "9".repeat(10_000), "[]", "{}", "[null]", '"\\ud800"', "{"],
  ...['{"__proto__": {"role": "service_role"}}', "[".repeat(10_000), `${'{"a":'.repeat(60)}1${"}".repeat(60)}`],
  ...[`{"${long}": 1}`, `"${"a".repeat(bodyBytesMax)}"`, `[${Array(20_000).fill("{}").join()}]`],
];
/** Headers that the server or something below it reads, with values that lie, between bars. */
const lies = Object.entries({
  "X-Forwarded-For": "unknown||,,,|::1|1.2.3.4:5678|[2001:db8::1]:80|1.2.3.4, 5.6.7.8|fe80::1%eth0|\xff",
  Host: "|attack.example|localhost:99999|[::1|localhost, attack.example|a b|\xff",
  Origin: "null|https://attack.example|x|file://",
  Authorization: `|Bearer|Bearer a.b.c|Basic YTpi|Bearer eyJhbGciOiJub25lIn0.e30.|Bearer \xff|Bearer ${long}`,
  apikey: `|x|sb_secret_embedded|service_role|\xff|${long}`,
  Accept: "|text/csv|application/json;q=0|*/*;q=x|application/vnd.pgrst.object+json|application/vnd.pgrst.plan|,,,",
  "Accept-Encoding": `br;q=x|gzip;q=1.001|*;q=0|identity;q=0|\xff|${",".repeat(1000)}`,
  "Accept-Profile": "auth|pg_catalog|private||public, auth|__proto__",
  "Content-Type": ";|text/csv|multipart/form-data; boundary=x|application/json; charset=utf-16|\xff\xfe",
  "Content-Encoding": "gzip|br|x",
  Prefer: `count=exact|count=exact, return=representation|handling=strict, tx=rollback|count=${long}`,
  Range: `0-9|9-0|-1|0-|bytes=99-0|bytes=0-0,1-1|0-${"9".repeat(400)}`,
  Cookie: `a=b|;;;|__proto__=1|\xff|${long}`,
  "X-Long": `${long}${long}`,
  Expect: "100-continue|x",
});
const methods = "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY LINK".split(" ");
const pathEndings = `/ // /../../../etc/passwd /..%2f..%2fetc/passwd %00 % %ff \xff ;a=b \\ /${long} %0d%0aX-Injected:%201`;
const parameters =
  "select order limit offset apikey grant_type type token token_hash scope redirect_to or and columns on_conflict";
const operators =
  "eq neq gt lte like ilike match match(any) in is isdistinct fts cs not.eq not.in not.not.eq like(all) EQ";
const endings = "::text ::regclass ::text; .count() (*) ->x !inner(*) .desc .desc.nullslast .sideways";

/** A request that the server would accept, or at least understand, with one or two things that are wrong with it. */
export function badRequest(random: Random, { routes, relations }: Surface): BadRequest {
  const pick = <T>(list: readonly T[]) => list[random.below(list.length)] as T;
  const word = (text: string) => pick(text.split(" "));
  // Most of the code is behind these routes.
  const deep = routes.filter(({ method, url }) => url === "/rest/v1/*" || method === "POST");
  const { method, url } = pick(random.below(2) ? routes : deep);
  // Most requests go to the table of contacts: all others refuse strangers at once.
  const relation = random.below(2) ? "contacts" : pick([...relations.keys(), "nothing", "rpc/nothing"]);
  const columns = [...(relations.get(relation) ?? []), "nothing", '"quo""ted"', "ctid", "a->b", "id::text", "*", ""];
  const id = pick(["0", "00000000-0000-4000-8000-000000000000", "%27", "..%2f"]);
  const number = random.below(2 ** 22);
  const body = bodyOf(method, url, { number, relation, columns });
  const request: BadRequest = {
    ...{ method, number, as: pick(callers), body: Buffer.from(body), query: pick(queries[url] ?? [""]) },
    path: url === "/*" ? pick(["/", "/auth", "/nothing"]) : url.replace("*", relation).replace(/:\w+/g, () => id),
    headers: {
      ...(random.below(20) > 0 && { apikey: defaultPublicKey }),
      "X-Forwarded-For": publicAddress(number),
      ...(body && { "Content-Type": body.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded" }),
    },
  };
  const json = (text: string) => {
    request.body = Buffer.from(text);
    request.headers["Content-Type"] = "application/json";
  };
  const escaped = () => encodeURIComponent(pick(texts).slice(0, 1000).toWellFormed());
  const value = () => (random.below(2) ? pick(jsons) : JSON.stringify(pick(texts)));
  const condition = () =>
    `${pick(columns)}=${word(operators)}.${random.below(2) ? escaped() : word("null (1,2) ( {1} * true")}`;
  const fields = [...body.matchAll(/"(\w+)":/g)].map(([, name]) => name);
  const faults: (() => void)[] = [
    () => json(value()),
    // Of two fields with one name the last one counts.
    () => json(`${body.slice(0, -1)}, "${pick(fields)}": ${value()}}`),
    () =>
      json(
        `{"${word("id submitted_at role is_admin app_metadata spam_reason __proto__")}": ${value()}, ${body.slice(1)}`,
      ),
    () => json(body.slice(0, random.below(200))),
    () => json(`[${Array(pick([2, 20, 1001])).fill(body.slice(0, 500))}]`),
    () => {
      const at = random.below(body.length + 1);
      request.body = Buffer.concat([
        request.body.subarray(0, at),
        Buffer.of(random.below(256)),
        request.body.subarray(at),
      ]);
    },
    () => {
      request.body = Buffer.from(
        `${new URLSearchParams({ [word("name email name[] __proto__")]: pick(texts) })}&x=%ff`,
      );
    },
    () => {
      request.body = gzipSync(Buffer.alloc(10 * bodyBytesMax));
      request.headers["Content-Encoding"] = "gzip";
    },
    () => {
      request.method = pick(methods);
    },
    () => {
      request.path += word(pathEndings);
    },
    () => {
      request.query += `&${word(parameters)}=${escaped()}`;
    },
    () => {
      request.query += word(`&% &%f=%f &a=%ff%fe &a=%00 &a=\xff &=&& ?x #x &x=${long}`);
    },
    () => {
      const [name, values] = pick(lies);
      request.headers[name] = pick(values.split("|"));
    },
    () => {
      for (let at = 0; at < pick([800, 3000]); at++) request.headers[`X-${at}`] = "1";
    },
    ...Array<() => void>(url === "/rest/v1/*" ? 8 : 0).fill(() => {
      const list = Array.from({ length: 1 + random.below(6) }, () => pick(columns) + word(endings));
      const nested = Array.from({ length: 1 + random.below(25) }, condition).reduce(
        (inner, each) => `(${each.replace("=", ".")},${word("and or not.and xor")}${inner})`,
        "(id.eq.1)",
      );
      request.query = pick([
        ...[condition(), `${condition()}&${condition()}`, `${word("and or")}=${nested.slice(0, 10_000)}`],
        ...[
          `${word("select order columns")}=${list}`,
          `${word("limit offset")}=${word(`0 -1 1e9 x ${"9".repeat(400)}`)}`,
        ],
        ...[`select=${Array(1700).fill(pick(columns))}`, `${pick(columns)}=in.(${[...Array(1500).keys()]})`],
      ]);
    }),
  ];
  for (let times = 0; times <= random.below(2); times++) pick(faults)();
  return request;
}

const queries: Record<string, readonly string[]> = {
  "/rest/v1/*": ["select=*&limit=5", "email=like.*", "id=not.is.null&select=*", "state=in.(new,spam)&select=id", ""],
  "/auth/v1/token": ["grant_type=password", "grant_type=refresh_token"],
  "/auth/v1/verify": ["type=signup&token=abc&redirect_to=/", "type=email_change&token=abc"],
  "/auth/v1/logout": ["scope=local", "scope=others", ""],
};

interface About {
  number: number;
  relation: string;
  columns: readonly string[];
}

function bodyOf(method: string, url: string, { number, relation, columns }: About): string {
  if (["GET", "HEAD", "OPTIONS", "TRACE"].includes(method)) return "";
  const contact = newContact(`attack-${number}`);
  if (url === "/contact") return `${new URLSearchParams(contact)}`;
  if (relation === "contacts" && url.startsWith("/rest/"))
    return JSON.stringify(method === "PATCH" ? { ...contact, state: "handled", note: "Called" } : contact);
  if (url.startsWith("/rest/")) return JSON.stringify(Object.fromEntries(columns.map((column) => [column, "1"])));
  // All that some route of the auth API reads: each leaves out what it does not know.
  return JSON.stringify({
    ...{ type: "signup", refresh_token: "abcdefghijkl", current_password: "no", nonce: "123456", data: { name: "x" } },
    ...{ challenge_id: "00000000-0000-4000-8000-000000000000", code: "123456", factor_type: "totp", issuer: "x" },
    ...{ email: number % 2 ? contact.email : emails.admin, password: number % 2 ? password : "wrong", token: "123456" },
  });
}
