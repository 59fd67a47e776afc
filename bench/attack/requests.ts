import { request } from "node:http";
import { defaultPublicKey } from "#server/settings";
import { fc } from "#tests/support/seeded-fast-check";
import { newContact, publicAddress } from "../load/requests.ts";
import { type Draft, type Fault, faultsOf } from "./faults.ts";
import type { Route, Surface } from "./surface.ts";
import { emails, password } from "./target.ts";

/** A request with at least one thing that is wrong with it. */
export interface BadRequest extends Draft {
  route: Route;
  /** Each contact in the request has this number in its address. */
  number: number;
  /** Whose token it carries. */
  as: (typeof callers)[number];
  /** The route, and what is wrong. */
  description: string;
}

const callers = ["visitor", "member", "admin"] as const;

/** Most of the code is behind these routes, so more than half of the requests go to them. */
const isDeep = ({ method, url }: Route) =>
  (url === "/rest/v1/*" && ["GET", "POST", "PATCH", "DELETE"].includes(method)) ||
  (method === "POST" && !url.startsWith("/rest/"));

export function badRequests(surface: Surface): fc.Arbitrary<BadRequest> {
  const route = fc.oneof(fc.constantFrom(...surface.routes), fc.constantFrom(...surface.routes.filter(isDeep)));
  const columns = [...new Set([...surface.relations.values()].flat())];
  return route.chain((route) => {
    const faults = fc.array(faultsOf(route.url.startsWith("/rest/") ? columns : []), { minLength: 1, maxLength: 2 });
    return fc.tuple(validRequest(route, surface), faults).map(([draft, faults]) => spoil(draft, route, faults));
  });
}

function spoil(draft: Valid, route: Route, faults: readonly Fault[]): BadRequest {
  const names = faults.map(({ name }) => name).join(" and ");
  const request = { ...draft, route, description: `${draft.method} ${draft.path} as ${draft.as} with ${names}` };
  for (const { apply } of faults) Object.assign(request, apply(request));
  return request;
}

type Valid = Draft & Pick<BadRequest, "number" | "as">;

/** Requests that the server would accept, or at least understand, to one route. */
function validRequest({ method, url }: Route, surface: Surface): fc.Arbitrary<Valid> {
  const isRead = ["GET", "HEAD", "OPTIONS", "TRACE"].includes(method);
  return fc
    .record({
      path: pathsOf(url, surface),
      query: fc.constantFrom(...(queries[`${method} ${url}`] ?? queries[url] ?? [""])),
      number: fc.noBias(fc.nat(2 ** 22)),
      as: fc.constantFrom(...callers),
      choice: fc.nat(5),
      hasKey: fc.integer({ min: 0, max: 19 }),
    })
    .map(({ path, query, number, as, choice, hasKey }) => {
      const bodies = isRead ? [""] : bodiesOf(method, path, number, surface);
      const body = bodies[choice % bodies.length] ?? "";
      const headers = {
        ...(hasKey > 0 && { apikey: defaultPublicKey }),
        // Pages for the operator's own machine refuse requests that came through a proxy.
        ...((choice > 0 || !url.startsWith("/dev/")) && { "X-Forwarded-For": publicAddress(number) }),
        ...(body && { "Content-Type": body.startsWith("{") ? "application/json" : formType }),
      };
      return { method, path, query, number, as, headers, body: Buffer.from(body) };
    });
}

const formType = "application/x-www-form-urlencoded";

const queries: Record<string, readonly string[]> = {
  "GET /rest/v1/*": ["select=*&limit=5"],
  "PATCH /rest/v1/*": ["email=like.*", "id=not.is.null&select=*", "state=in.(new,spam)&select=id", ""],
  "DELETE /rest/v1/*": ["email=like.*", "id=not.is.null&select=*", ""],
  "/auth/v1/token": ["grant_type=password", "grant_type=refresh_token"],
  "/auth/v1/verify": ["type=signup&token=abc&redirect_to=/", "type=email_change&token=abc"],
  "/auth/v1/logout": ["scope=local", "scope=others", ""],
};

function pathsOf(url: string, { relations, pages, factorIds }: Surface): fc.Arbitrary<string> {
  if (url === "/*") return fc.constantFrom(...pages);
  if (url === "/rest/v1/*") {
    // Most requests go to the table of contacts: all others refuse strangers at once.
    const names = fc.oneof(fc.constant("contacts"), fc.constantFrom(...relations.keys(), "nothing", "rpc/nothing"));
    return names.map((name) => `/rest/v1/${name}`);
  }
  const ids = fc.constantFrom("0", "00000000-0000-4000-8000-000000000000", "%27", "..%2f", ...factorIds);
  return ids.map((id) => url.replace(/:\w+/g, () => id));
}

function bodiesOf(method: string, path: string, number: number, { relations }: Surface): string[] {
  const contact = newContact(`attack-${number}`);
  if (path === "/contact") return [`${new URLSearchParams(contact)}`];
  const json = (...bodies: object[]) => bodies.map((body) => JSON.stringify(body));
  if (path === "/rest/v1/contacts")
    return method === "PATCH"
      ? json({ state: "handled", note: "Called" }, { ...contact, state: "spam" })
      : json(contact);
  if (path.startsWith("/rest/")) {
    const columns = relations.get(path.replace("/rest/v1/", "")) ?? ["name"];
    return json({}, Object.fromEntries(columns.map((column) => [column, exampleOf(column)])));
  }
  // All that some route of the auth API reads: each leaves out what it does not know.
  const common = {
    ...{ type: "signup", refresh_token: "abcdefghijkl", current_password: "no", nonce: "123456", data: { name: "x" } },
    ...{ challenge_id: "00000000-0000-4000-8000-000000000000", code: "123456", factor_type: "totp", issuer: "x" },
  };
  return json(
    { ...common, email: contact.email, password, token: "123456" },
    { ...common, email: emails.admin, password: "not the password", token_hash: "abc", friendly_name: `${number}` },
  );
}

function exampleOf(column: string): string {
  if (/(^|_)id$/.test(column)) return "00000000-0000-4000-8000-000000000000";
  return column.endsWith("_at") ? "2020-01-01" : "admin";
}

export interface Answer {
  /** 0 if the server closed the connection without an answer. */
  status: number;
  isHung: boolean;
  text: string;
}

/** Our pages wait 15 seconds for an answer. The rest is for a busy machine. */
const hungSeconds = 15 + 5;

/** Sends a request on a connection of its own. Rejects if no server listens, or if its answer is not HTTP. */
export function sendRaw(url: string, draft: Draft, limitSeconds = hungSeconds): Promise<Answer> {
  const { method, body } = draft;
  const headers = { ...draft.headers, ...(body.length > 0 && { "Content-Length": body.length }) };
  const path = escapeUnsendable(draft.query ? `${draft.path}?${draft.query}` : draft.path);
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let [status, text] = [0, ""];
    const limit = AbortSignal.timeout(limitSeconds * 1000);
    const settle = () => resolve({ status, isHung: limit.aborted, text });
    const sent = request({ hostname, port, method, path, headers, agent: false, signal: limit });
    sent.once("response", (response) => {
      status = response.statusCode ?? 0;
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("error", settle).once("close", settle);
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // A server that refuses a large body closes the connection while it is still being sent. One that refuses a head
      // does not know that the method is HEAD, so its answer has a body.
      if (status > 0 || limit.aborted || error.code === "ECONNRESET" || error.code === "EPIPE") settle();
      else reject(error);
    });
    sent.end(body);
  });
}

/** The client of Node refuses these characters in an address. */
function escapeUnsendable(path: string): string {
  return path.toWellFormed().replace(/[^\x21-\xff]/gu, encodeURIComponent);
}
