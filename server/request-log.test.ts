import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "#tests/support/database";
import { loadSigningKeys } from "#tests/support/signing-keys";
import { buildApp } from "./app.ts";
import { CapturedMailbox } from "./mail/dev-mailbox.ts";
import { loggablePath } from "./request-log.ts";
import { readSettings } from "./settings.ts";
import type { Asset } from "./static-site/assets.ts";

/** What the server logs about requests. */
const database = await createDatabase();
const backend = { ...database, keys: await loadSigningKeys(database.owner), mailbox: new CapturedMailbox() };

/** A server with these pages, and the lines of its log. */
function serve(paths: readonly string[], { level = "info", siteUrl = "http://localhost:3000" } = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level }, { write: (line) => void lines.push(JSON.parse(line)) });
  const page = (text: string): Asset => ({
    ...{ bodies: { identity: Buffer.from(text) }, hash: "page", type: "text/html" },
    ...{ cacheControl: "no-cache", contentSecurityPolicy: undefined },
  });
  const assets = new Map(paths.map((path) => [path, page(`<p data-error-message>${path}</p>`)]));
  const settings = readSettings({ SITE_URL: siteUrl, TRUST_PROXY: "loopback" });
  const site = buildApp({ settings, backend, assets, log });
  onTestFinished(() => site.close());
  return { site, lines };
}

test("a host that is not the site's is logged once, because it may be an undeclared proxy", async () => {
  const { site, lines } = serve([], { level: "warn", siteUrl: "https://site.example" });
  const ask = (host: string) => site.inject({ url: "/", headers: { host } });
  for (const host of ["site.example", "SITE.example:443", "localhost:3000", "127.0.0.1", "[::1]:3000", "", "a b"]) {
    await ask(host);
  }
  // Only a request of HTTP/1.0 may leave Host out.
  const { port } = new URL(await site.listen({ host: "127.0.0.1", port: 0 }));
  await text(connect(Number(port), "127.0.0.1").end("GET / HTTP/1.0\r\n\r\n"));
  expect(lines).toEqual([]);
  for (const host of ["user:secret@other.example:80", "third.example"]) await ask(host);
  expect(lines).toMatchObject([
    {
      host: "other.example",
      msg: "A request names another host than SITE_URL (site.example). Is it the site's address?",
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain("secret");
});

test("each request writes one line to the log, with the path but without the query", async () => {
  const { site, lines } = serve(["/"]);
  const requests = [
    ["GET", "/", 200],
    ["HEAD", "/", 200],
    ["GET", "/nothing", 404],
    ["GET", "/rest/v1/contacts", 401],
  ] as const;
  for (const [method, path, status] of requests) {
    const answer = await site.inject({ method, url: `${path}?token=secret` });
    // The headers of every answer, whichever way it was sent.
    expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "strict-origin" });
    expect([answer.statusCode, answer.body === ""]).toEqual([status, method === "HEAD"]);
  }
  await site.inject({ url: "/", headers: { "if-none-match": '"page-identity"' } });
  expect(lines.map(({ msg, method, path, status }) => [msg, method, path, status])).toEqual([
    ...requests.map((request) => ["answered", ...request]),
    ["answered", "GET", "/", 304],
  ]);
  expect(lines.map(({ milliseconds }) => typeof milliseconds)).toEqual(Array(5).fill("number"));
});

test("every kind of answer names its request, as the line of the log does, and only a trusted proxy gives the id", async () => {
  const { site, lines } = serve(["/", "/404", "/error"]);
  const requests: [method: "GET" | "POST" | "OPTIONS" | "HEAD", url: string, status: number][] = [
    ["GET", "/", 200],
    ["HEAD", "/", 200],
    ["GET", "/nothing", 404],
    ["GET", "/dev/mail", 404],
    ["POST", "/nothing", 404],
    ["GET", "/contact", 303],
    ["GET", "/index", 301],
    ["GET", "/healthz", 200],
    ["GET", "/rest/v1/contacts", 401],
    ["OPTIONS", "/rest/v1/contacts", 204],
    ["OPTIONS", "/auth/v1/%ff", 204],
    ["GET", "/rest/v1/%ff", 400],
    ["GET", "/%ff", 400],
    ["GET", "/auth/v1/nothing", 401],
  ];
  const ids: unknown[] = [];
  for (const [method, url, status] of requests) {
    const { statusCode, headers } = await site.inject({ method, url });
    expect([method, url, statusCode]).toEqual([method, url, status]);
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{16}$/);
    if (url !== "/healthz") ids.push(headers["x-request-id"]);
  }
  expect(new Set(ids).size).toBe(ids.length);
  // Sorted, because a request that cannot be routed is logged later than the others.
  expect(lines.map(({ requestId }) => requestId).sort()).toEqual(ids.sort());
  expect(lines.every((line) => line.msg === "answered")).toBe(true);

  const idOf = async (remoteAddress: string) =>
    (await site.inject({ url: "/", remoteAddress, headers: { "x-request-id": "of-the-proxy" } })).headers[
      "x-request-id"
    ];
  expect(await idOf("127.0.0.1")).toBe("of-the-proxy");
  expect(await idOf("203.0.113.9")).not.toBe("of-the-proxy");
});

test.each([
  ["/", "/"],
  ["/_astro/contact-form.B3a8x_9Z.js?v=1", "/_astro/contact-form.B3a8x_9Z.js"],
  ["/rest/v1/contacts?email=eq.ada@example.com", "/rest/v1/contacts"],
  [
    "/auth/v1/factors/00000000-0000-4000-8000-000000000000/verify",
    "/auth/v1/factors/00000000-0000-4000-8000-000000000000/verify",
  ],
  ["/ada@example.com", "/…"],
  ["/ada%40example.com/contacts", "/…/contacts"],
  [`/auth/v1/verify/${"a1".repeat(28)}`, "/auth/v1/verify/…"],
  ["/rest/v1/%ff", "/rest/v1/…"],
  ["//a;email=ada", "//…"],
  ["*", "…"],
  ["", ""],
])("of the URL %s the log has %s", (url, path) => {
  expect(loggablePath(url)).toBe(path);
});
