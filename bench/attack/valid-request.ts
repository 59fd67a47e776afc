import { defaultPublicKey } from "#server/settings";
import { fc } from "#tests/support/property";
import { publicAddress } from "../load/requests.ts";
import type { Route, Surface } from "./surface.ts";

/** A request before it is written as HTTP/1.1. */
export interface Draft {
  method: string;
  path: string;
  query: string;
  headers: [name: string, value: string][];
  body: Buffer;
}

/** What the attacker knows, and so can put into a request. */
export interface Knowledge {
  /** The current access tokens of an ordinary member and of the admin. */
  tokens: readonly string[];
  emails: readonly string[];
  /** The second factors of the seeded accounts. */
  factorIds: readonly string[];
  password: string;
}

export const formType = "application/x-www-form-urlencoded";

/** Each contact in request `index` carries this mark, so a stored contact shows which request it came from. */
const markOf = (index: number) => `i${index}x`;

export function newContact(index: number, number = 0) {
  const mark = markOf(index);
  return {
    name: `Visitor ${mark}`,
    company: "Works",
    email: `${mark}-${number}@attack.example`,
    interest: "consulting",
  };
}

/** Requests that the server would accept, or at least understand, to one route. */
export function validRequest(index: number, route: Route, surface: Surface, known: Knowledge): fc.Arbitrary<Draft> {
  return addressOf(route, surface, known).chain(({ path, query }) =>
    fc
      .record({
        body: ["GET", "HEAD", "OPTIONS", "TRACE"].includes(route.method)
          ? fc.constant("")
          : bodyOf(route.method, path, index, surface, known),
        hasKey: fc.integer({ max: 19, min: 0 }),
        token: fc.constantFrom(undefined, defaultPublicKey, ...known.tokens),
        // Pages for the operator's own machine refuse requests that came through a proxy.
        isForwarded: route.url.startsWith("/dev/") ? fc.boolean() : fc.constant(true),
      })
      .map(({ body, hasKey, token, isForwarded }) => {
        const headers: Draft["headers"] = [["Host", "localhost"]];
        if (hasKey > 0) headers.push(["apikey", defaultPublicKey]);
        if (token) headers.push(["Authorization", `Bearer ${token}`]);
        if (isForwarded) headers.push(["X-Forwarded-For", publicAddress(index)]);
        if (body) headers.push(["Content-Type", path === "/contact" ? formType : "application/json"]);
        return { method: route.method, path, query, headers, body: Buffer.from(body) };
      }),
  );
}

type Address = Pick<Draft, "path" | "query">;

function addressOf({ method, url }: Route, surface: Surface, { factorIds }: Knowledge): fc.Arbitrary<Address> {
  if (url === "/rest/v1/*") {
    const calls = [...surface.functions.keys()].map((name) => `rpc/${name}`);
    const names = fc.constantFrom(...surface.tables.keys(), ...calls, "nothing", "rpc/nothing");
    const query = ["PATCH", "DELETE"].includes(method)
      ? fc.constantFrom("email=like.*", "id=not.is.null&select=*", "state=in.(new,spam)&select=id", "")
      : fc.constant(method === "POST" ? "" : "select=*&limit=5");
    // Most requests go to the table of contacts: all others refuse strangers at once.
    return fc.record({ path: fc.oneof(fc.constant("contacts"), names).map((name) => `/rest/v1/${name}`), query });
  }
  if (url === "/*") return fc.record({ path: fc.constantFrom(...surface.pages), query: fc.constant("") });
  const ids = fc.constantFrom("0", "00000000-0000-4000-8000-000000000000", "%27", "..%2f", ...factorIds);
  const queries: Record<string, readonly string[]> = {
    "/auth/v1/token": ["grant_type=password", "grant_type=refresh_token"],
    "/auth/v1/verify": ["type=signup&token=abc&redirect_to=/", "type=email_change&token=abc"],
    "/auth/v1/logout": ["scope=local", "scope=others", ""],
  };
  const query = fc.constantFrom(...(queries[url] ?? [""]));
  return fc.record({ path: ids.map((id) => url.replace(/:\w+/g, () => id)), query });
}

function bodyOf(
  method: string,
  path: string,
  index: number,
  { tables, functions }: Surface,
  { emails, password }: Knowledge,
): fc.Arbitrary<string> {
  const contact = newContact(index);
  if (path === "/contact") return fc.constant(`${new URLSearchParams(contact)}`);
  const asJson = (...bodies: object[]) => fc.constantFrom(...bodies.map((body) => JSON.stringify(body)));
  if (path === "/rest/v1/contacts") {
    const work = { state: "handled", note: `Note ${markOf(index)}` };
    return method === "PATCH" ? asJson(work, { ...contact, ...work, state: "spam" }) : asJson(contact);
  }
  if (path.startsWith("/rest/")) {
    const name = path.replace(/.*\//, "");
    const columns = tables.get(name) ?? functions.get(name) ?? ["name"];
    return asJson({}, Object.fromEntries(columns.map((column) => [column, exampleOf(column)])));
  }
  const own = `${markOf(index)}@attack.example`;
  const [email = own] = emails;
  const code = { challenge_id: "00000000-0000-4000-8000-000000000000", code: "123456" };
  const bodies: Record<string, object[]> = {
    "/auth/v1/signup": [{ email: own, password }],
    "/auth/v1/token": [{ email, password: "not the password" }, { refresh_token: "abcdefghijkl" }],
    "/auth/v1/user": [{ data: { name: "x" } }, { password, current_password: "no", nonce: "123456" }, { email: own }],
    "/auth/v1/verify": [
      { type: "signup", token: "123456", email },
      { type: "recovery", token_hash: "abc" },
    ],
    "/auth/v1/resend": [{ email, type: "signup" }],
    "/auth/v1/factors": [{ factor_type: "totp", friendly_name: markOf(index), issuer: "x" }],
    "/auth/v1/factors/recovery-codes/verify": [{ code: "0123456789abcdef" }],
  };
  return asJson(...(bodies[path] ?? [path.startsWith("/auth/v1/factors/") ? code : { email }]));
}

function exampleOf(column: string): string {
  if (/(^|_)id$/.test(column)) return "00000000-0000-4000-8000-000000000000";
  return column.endsWith("_at") ? "2020-01-01" : "admin";
}

/** Writes a request as HTTP/1.1, with a header for the length if the draft has none. */
export function render({ method, path, query, headers, body }: Draft): Buffer {
  const has = (name: string) => headers.some(([each]) => each.trim().toLowerCase() === name);
  const all = [...headers];
  if (!has("connection")) all.push(["Connection", "close"]);
  if (body.length > 0 && !has("content-length") && !has("transfer-encoding"))
    all.push(["Content-Length", `${body.length}`]);
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = Buffer.from(`${method} ${path}${query && `?${query}`} HTTP/1.1\r\n${lines}\r\n`, "latin1");
  return Buffer.concat([head, body]);
}

export function setHeader(draft: Draft, name: string, value: string) {
  draft.headers = [...draft.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase()), [name, value]];
}
