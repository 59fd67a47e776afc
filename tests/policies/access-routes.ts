import { randomUUID } from "node:crypto";
import type { LightMyRequestResponse } from "fastify";
import type { TestDatabase, TestUser } from "../support/database.ts";
import type { Row, Section } from "./access-document.ts";
import { password, type Request, type Route, type Send } from "./access-http.ts";

/** An account whose data no answer may contain, unless an admin asks. */
export interface Bystander extends TestUser {
  sessionId: string;
}

type Requests = Readonly<Record<string, (account: TestUser) => Request | Promise<Request>>>;

export async function addSession({ owner }: TestDatabase, { id }: TestUser): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    "insert into auth.sessions (user_id, family_hash, amr, created_at) values ($1, sha256(random()::text::bytea), '[]', now()) returning id",
    [id],
  );
  return rows[0]?.id ?? "";
}

/**
 * A good request for each route whose answer depends on more than the path. The words in brackets tell two requests of
 * one route apart. A route without a request here gets one without a body.
 */
export function requestsOf(): Requests {
  const fresh = () => `${randomUUID()}@example.com`;
  const contact = () => ({ name: "Ada", company: "Engines", email: fresh(), interest: "consulting" });
  return {
    "POST /auth/v1/signup": () => ({ url: "/auth/v1/signup", payload: { email: fresh(), password } }),
    "POST /auth/v1/token (right password)": ({ email }) => ({
      url: "/auth/v1/token?grant_type=password",
      payload: { email, password },
    }),
    "POST /auth/v1/token (wrong password)": ({ email }) => ({
      url: "/auth/v1/token?grant_type=password",
      payload: { email, password: "wrong" },
    }),
    "PUT /auth/v1/user (metadata)": () => ({ url: "/auth/v1/user", payload: { data: { theme: "dark" } } }),
    "PUT /auth/v1/user (app_metadata)": () => ({ url: "/auth/v1/user", payload: { app_metadata: { role: "admin" } } }),
    "POST /auth/v1/factors": () => ({ url: "/auth/v1/factors", payload: { factor_type: "totp" } }),
    "POST /auth/v1/factors/recovery-codes/verify": () => ({
      url: "/auth/v1/factors/recovery-codes/verify",
      payload: { code: "wrong" },
    }),
    "POST /auth/v1/logout": () => ({ url: "/auth/v1/logout?scope=others" }),
    "GET /auth/v1/verify (wrong token)": () => ({ url: "/auth/v1/verify?type=signup&token=wrong" }),
    "POST /auth/v1/verify (wrong token)": () => ({
      url: "/auth/v1/verify",
      payload: { type: "signup", token_hash: "wrong" },
    }),
    "POST /auth/v1/otp": () => ({ url: "/auth/v1/otp", payload: { email: fresh() } }),
    "POST /auth/v1/recover": () => ({ url: "/auth/v1/recover", payload: { email: fresh() } }),
    "POST /auth/v1/resend": () => ({ url: "/auth/v1/resend", payload: { email: fresh(), type: "signup" } }),
    "POST /contact": () => ({
      url: "/contact",
      payload: new URLSearchParams(contact()).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
    "GET /*": () => ({ url: "/" }),
  };
}

/** Sends the requests of each route as each caller. A cell is the status, and whether the answer has others' data. */
export async function observeRoutes(
  routes: readonly Route[],
  callers: Readonly<Record<string, { send: Send; account: TestUser }>>,
  requests: Requests,
  bystander: Bystander,
): Promise<Section> {
  const section = new Map<string, Row>();
  for (const [route, methods] of methodsByName(routes)) {
    const own = Object.keys(requests).filter((name) => name.replace(/ \(.*/, "") === route);
    for (const name of own.length > 0 ? own : [route]) {
      const row: Record<string, string> = {};
      for (const [caller, { send, account }] of Object.entries(callers)) {
        const request = (await requests[name]?.(account)) ?? { url: exampleOf(route) };
        row[caller] = await observe(send, methods, request, bystander);
      }
      section.set(name, row);
    }
  }
  return section;
}

async function observe(send: Send, methods: readonly string[], request: Request, bystander: Bystander) {
  const cells = [];
  for (const method of methods) {
    const answer = await send({ ...request, method: method as "GET" });
    cells.push(`${answer.statusCode}${isAbout(bystander, answer) ? " with others' data" : ""}`);
  }
  // HEAD answers like GET, without the body.
  const [first = "", second] = cells;
  return second === undefined || first.startsWith(second) ? first : cells.join(", ");
}

function isAbout({ id, email, sessionId }: Bystander, { body, headers }: LightMyRequestResponse): boolean {
  const answer = body + JSON.stringify(headers);
  return [id, email, sessionId].some((secret) => answer.includes(secret));
}

/**
 * The methods to try of each route, by its name in the document: "GET /auth/v1/user" has HEAD too, if the server has it;
 * "any /rest/v1/*" is tried by GET.
 */
export function methodsByName(routes: readonly Route[]): Map<string, string[]> {
  const methodsOfUrl = Map.groupBy(
    routes.flatMap(({ method, url }) => [method].flat().map((name) => ({ name, url }))),
    ({ url }) => url,
  );
  const entries = [...methodsOfUrl].flatMap(([url, found]): [string, string[]][] => {
    const methods = new Set(found.map(({ name }) => name));
    if (methods.has("TRACE")) return [[`any ${url}`, ["GET"]]];
    const reads = ["GET", "HEAD"].filter((method) => methods.delete(method));
    const others = [...methods].map((method): [string, string[]] => [`${method} ${url}`, [method]]);
    return reads.length > 0 ? [[`${reads[0]} ${url}`, reads], ...others] : others;
  });
  return new Map(entries);
}

function exampleOf(route: string): string {
  return route.slice(route.indexOf("/")).replace(":id", randomUUID()).replace("*", "nonsense");
}
