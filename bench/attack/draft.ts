import { defaultPublicKey } from "#server/settings";
import { publicAddress } from "../load/requests.ts";
import type { Random } from "../load/seeded-random.ts";
import type { Route, Surface } from "./surface.ts";

/** A request that attackers change before it is sent. */
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
export const markOf = (index: number) => `i${index}x`;

export function newContact(index: number, number = 0) {
  const mark = markOf(index);
  return {
    name: `Visitor ${mark}`,
    company: `Works ${mark}`,
    email: `${mark}-${number}@attack.example`,
    interest: "consulting",
  };
}

/** A request that the server would accept, or at least understand. */
export function newDraft(index: number, route: Route, surface: Surface, known: Knowledge, random: Random): Draft {
  const { path, query } = addressOf(route, surface, known, random);
  const body = ["GET", "HEAD", "OPTIONS", "TRACE"].includes(route.method)
    ? ""
    : bodyOf(route.method, path, index, surface, known, random);
  const headers: Draft["headers"] = [["Host", "localhost"]];
  if (random.below(20) > 0) headers.push(["apikey", defaultPublicKey]);
  const token = random.pick([undefined, defaultPublicKey, ...known.tokens]);
  if (token) headers.push(["Authorization", `Bearer ${token}`]);
  // Pages for the operator's own machine refuse requests that came through a proxy.
  if (!route.url.startsWith("/dev/") || random.below(2) === 0) headers.push(["X-Forwarded-For", publicAddress(index)]);
  if (body) headers.push(["Content-Type", path === "/contact" ? formType : "application/json"]);
  return { method: route.method, path, query, headers, body: Buffer.from(body) };
}

/** Which rows a change is for, and what it returns. */
const changes = ["email=like.*", "id=not.is.null&select=*", "state=in.(new,spam)&select=id", "note_version=eq.0", ""];

function addressOf(
  { method, url }: Route,
  surface: Surface,
  { factorIds }: Knowledge,
  random: Random,
): Pick<Draft, "path" | "query"> {
  if (url === "/rest/v1/*") {
    const calls = [...surface.functions.keys()].map((name) => `rpc/${name}`);
    const names = [...surface.tables.keys(), ...calls, "nothing", "rpc/nothing"];
    // Most requests go to the table of contacts: all others refuse strangers at once.
    const name = random.below(2) === 0 ? "contacts" : random.pick(names);
    const query = ["PATCH", "DELETE"].includes(method) ? random.pick(changes) : "select=*&limit=5";
    return { path: `/rest/v1/${name}`, query: method === "POST" ? "" : query };
  }
  if (url === "/*") return { path: random.pick(surface.pages), query: "" };
  const ids = ["0", "00000000-0000-4000-8000-000000000000", "%27", "..%2f", ...factorIds];
  const path = url.replace(/:\w+/g, () => random.pick(ids));
  const queries: Record<string, readonly string[]> = {
    "/auth/v1/token": ["grant_type=password", "grant_type=refresh_token"],
    "/auth/v1/verify": [
      "type=signup&token=abc&redirect_to=/",
      "type=recovery&token=abc",
      "type=email_change&token=abc",
    ],
    "/auth/v1/logout": ["scope=local", "scope=others", ""],
  };
  return { path, query: random.pick(queries[path] ?? [""]) };
}

function bodyOf(
  method: string,
  path: string,
  index: number,
  { tables, functions }: Surface,
  { emails, password }: Knowledge,
  random: Random,
): string {
  if (path === "/contact") return new URLSearchParams(newContact(index)).toString();
  if (path === "/rest/v1/contacts" && method === "PATCH") {
    const work = { state: random.pick(["new", "handled", "archived", "spam"]), note: `Note ${markOf(index)}` };
    return JSON.stringify(random.pick([work, { ...newContact(index), ...work }]));
  }
  if (path === "/rest/v1/contacts") return JSON.stringify(newContact(index));
  if (path.startsWith("/rest/")) {
    const name = path.replace(/.*\//, "");
    const columns = tables.get(name) ?? functions.get(name) ?? ["name"];
    const values = random.pick([[], columns, columns.slice(0, 1)]).map((column) => [column, exampleOf(column)]);
    return JSON.stringify(Object.fromEntries(values));
  }

  const email = random.pick([...emails, `${markOf(index)}@attack.example`]);
  const fields: Record<string, unknown> = {
    "/auth/v1/signup": { email: `${markOf(index)}@attack.example`, password, data: { name: "x" } },
    "/auth/v1/token": random.pick([{ email, password: "not the password" }, { refresh_token: "abcdefghijkl" }]),
    "/auth/v1/user": random.pick<object>([
      { data: { name: "x" } },
      { password, current_password: "not the password", nonce: "123456" },
      { email: `${markOf(index)}@attack.example` },
    ]),
    "/auth/v1/verify": random.pick([
      { type: "signup", token: "123456", email },
      { type: "recovery", token_hash: "abc" },
      { type: "email_change", token: "123456", email },
    ]),
    "/auth/v1/resend": { email, type: random.pick(["signup", "email_change"]) },
    "/auth/v1/factors": { factor_type: "totp", friendly_name: markOf(index), issuer: "x" },
    "/auth/v1/factors/recovery-codes/verify": { code: "0123456789abcdef" },
  };
  if (path.startsWith("/auth/v1/factors/") && !fields[path]) return JSON.stringify(codeOfFactor);
  return JSON.stringify(fields[path] ?? { email });
}

const codeOfFactor = { challenge_id: "00000000-0000-4000-8000-000000000000", code: "123456" };

function exampleOf(column: string): string {
  if (/(^|_)id$/.test(column)) return "00000000-0000-4000-8000-000000000000";
  return column.endsWith("_at") ? "2020-01-01" : "admin";
}

/** Writes a request as HTTP/1.1. A header for the length is added if the draft has none. */
export function render({ method, path, query, headers, body }: Draft, { close = true } = {}): Buffer {
  const has = (name: string) => headers.some(([each]) => each.trim().toLowerCase() === name);
  const all = [...headers];
  if (close && !has("connection")) all.push(["Connection", "close"]);
  if (body.length > 0 && !has("content-length") && !has("transfer-encoding"))
    all.push(["Content-Length", `${body.length}`]);
  const head = `${method} ${path}${query && `?${query}`} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}

export function setHeader(draft: Draft, name: string, value: string) {
  draft.headers = [...draft.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase()), [name, value]];
}
