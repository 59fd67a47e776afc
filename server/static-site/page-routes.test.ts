import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { load } from "cheerio";
import Fastify from "fastify";
import { DatabaseError } from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { tooManyRequests } from "#backend/http/refusal";
import { brand } from "#content/brand";
import { contactWords, findInterestLabel } from "#content/contact";
import { contactMessages, pageMessages } from "#content/messages";
import { contactFormRoutes } from "#server/contact-form/contact-form-without-javascript";
import { compressFolder } from "#site/built-pages/compress.ts";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { type Contact, tooSoon, waitSeconds } from "#validation/contact";
import { readAssets } from "./assets.ts";
import { setErrorPages } from "./error-page.ts";
import { pageRoutes } from "./page-routes.ts";

const landing = `<!doctype html><html><head>
<meta http-equiv="content-security-policy" content="default-src 'self'; script-src 'self' 'sha256-abc'">
</head><body><form action="/contact#contact" method="post"><input name="name"><input name="company">
<input name="email"><input type="radio" name="interest" value="consulting">
<input type="radio" name="interest" value="partnerships"><p data-notice></p><p data-wait></p>
<div data-prepared-mail hidden><a href="mailto:x">Mail</a></div></form></body></html>`;
const files = {
  "index.html": landing,
  "privacy-policy.html": "<!doctype html><h1>Privacy</h1>",
  "account.html": "<!doctype html><h1>Your account</h1>",
  "404.html": `<!doctype html><h1>${pageMessages.notFound}</h1>`,
  "error.html": "<!doctype html><h1>Unexpected Application Error</h1><p data-error-message></p>",
  "_astro/page.abc123.js": "console.error('a script long enough to be worth compressing');",
  "robots.txt": "User-agent: *",
};
const contact = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };
const html = { accept: "text/html" };
const json = { accept: "application/json" };

const saved: Contact[] = [];
let whenSaving: () => void = () => {};

const folder = await temporaryFolder();
await mkdir(join(folder, "_astro"));
for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
await compressFolder(folder);
const assets = await readAssets(folder);

const app = Fastify();
setErrorPages(app, assets);
app.get("/broken", () => {
  throw new Error("a secret of the server");
});
app.register(pageRoutes, { assets });
app.register(contactFormRoutes, {
  assets,
  siteUrl: "https://site.example",
  saveContact: async (each: Contact) => {
    whenSaving();
    saved.push(each);
  },
});
beforeEach(() => {
  saved.length = 0;
  whenSaving = () => {};
});
afterAll(() => app.close());

test("a page is sent in the best encoding that the browser accepts", async () => {
  const brotli = await app.inject({ url: "/", headers: { "accept-encoding": "gzip, deflate, br" } });
  expect(brotli.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(landing);

  const gzip = await app.inject({ url: "/", headers: { "accept-encoding": "gzip, br;q=0" } });
  expect(gzip.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(landing);

  const plain = await app.inject({ url: "/" });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.headers.vary).toBe("Accept-Encoding");
});

test("a browser that has the current version of a page gets 304", async () => {
  const first = await app.inject({ url: "/", headers: { "accept-encoding": "br" } });
  const again = await app.inject({
    url: "/",
    headers: { "accept-encoding": "br", "if-none-match": `"other", W/${first.headers.etag}` },
  });
  expect(again.statusCode).toBe(304);
  expect(again.rawPayload).toHaveLength(0);
  expect(again.headers["content-security-policy"]).toBe(first.headers["content-security-policy"]);
});

test("browsers must revalidate pages, but may keep files with a hash in the name forever", async () => {
  const page = await app.inject({ url: "/" });
  expect(page.headers["cache-control"]).toBe("no-cache");
  const script = await app.inject({ url: "/_astro/page.abc123.js" });
  expect(script.headers["cache-control"]).toContain("immutable");
  expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
});

test.each([
  ["/privacy-policy/", "/privacy-policy"],
  ["/privacy-policy.html?a=b", "/privacy-policy?a=b"],
  ["/index.html", "/"],
  ["/admin/account?a=b", "/account?a=b"],
  ["/admin/account/", "/account"],
])("%s is redirected with 301 to %s", async (url, location) => {
  const { statusCode, headers } = await app.inject({ url });
  expect([statusCode, headers.location]).toEqual([301, location]);
});

// With the square of the number of slashes, this took half a minute.
test("a path of 300,000 slashes is redirected or gets 404 like any other", { timeout: 10_000 }, async () => {
  const slashes = "/".repeat(300_000);
  expect((await app.inject({ url: `/privacy-policy${slashes}` })).headers.location).toBe("/privacy-policy");
  expect((await app.inject({ url: `/privacy-policy${slashes}x` })).statusCode).toBe(404);
});

test.each(["/nothing", "/404", "/error", "/error.html", "/robots.txt.br", "/.fingerprint", "/../package.json"])(
  "%s gets 404: a page for a browser, JSON for a client that prefers it",
  async (url) => {
    const page = await app.inject({ url, headers: html });
    expect(page.statusCode).toBe(404);
    const answer = await app.inject({ url, headers: json });
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: "Not Found" }]);
  },
);

test.each<[string | undefined, "page" | "JSON"]>([
  [undefined, "page"],
  ["text/html", "page"],
  ["image/avif,image/webp,image/*,*/*;q=0.8", "page"],
  ["application/json;q=0.5, */*", "page"],
  ["application/json", "JSON"],
  ["text/html;q=0.5, application/json;q=0.6", "JSON"],
  // The default of axios.
  ["application/json, text/plain, */*", "JSON"],
])("with `Accept: %s` an unknown path gets the 404 %s", async (accept, kind) => {
  const { statusCode, headers, body } = await app.inject({ url: "/nothing", headers: accept ? { accept } : {} });
  expect(statusCode).toBe(404);
  expect(headers["content-type"]).toBe(
    kind === "page" ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
  );
  expect(body).toContain(kind === "page" ? pageMessages.notFound : '{"message":"Not Found"}');
});

test("an internal error gets 500 with an error page or JSON that hides the cause", async () => {
  const page = await app.inject({ url: "/broken", headers: html });
  expect(page.statusCode).toBe(500);
  expect(load(page.body)("[data-error-message]").text()).toBe("Internal Server Error");
  expect(page.body).not.toContain("secret");
  const answer = await app.inject({ url: "/broken", headers: json });
  expect(answer.json()).toEqual({ message: "Internal Server Error" });
});

test("the contact form without JavaScript stores a cleaned contact and redirects to `/thanks`", async () => {
  const { statusCode, headers } = await post({ ...contact, name: "  A<d>a ", email: "ADA@example.com" });
  expect([statusCode, headers.location]).toEqual([303, "/thanks"]);
  expect(saved).toEqual([contact]);
});

test("a refused contact form is shown again with the escaped typed values and the message", async () => {
  const name = `"><script>alert(1)</script>`;
  const answer = await post({ ...contact, name, interest: "" });
  expect(answer.statusCode).toBe(422);
  expect(answer.body).not.toContain("<script>alert");
  expect(answer.headers["cache-control"]).toBe("no-store");

  const page = load(answer.body);
  expect(page("[data-notice]").text()).toBe(contactMessages.noInterest);
  expect(page("input[name=name]").attr("value")).toBe(name);
  expect(page("input[name=email]").attr("value")).toBe(contact.email);
  expect(page("input[checked]")).toHaveLength(0);
});

const databaseError = (message: string, code: string, detail?: string) =>
  Object.assign(new DatabaseError(message, 0, "error"), { code, detail });
const isAway = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

test.each<[string, Error, number, "tooFast" | "notSaved", retryAfter?: string, wait?: number]>([
  ["a refusal", databaseError(contactMessages.tooFast, "PT429", tooSoon), 429, "tooFast", undefined, waitSeconds],
  ["a refusal by the limits against floods", tooManyRequests(7), 429, "tooFast", "7", 7],
  ["a database that is away", isAway, 503, "notSaved", "5"],
  ["a bug", databaseError("a secret of the server", "42703"), 500, "notSaved"],
])(
  "after %s the contact form has its words and the typed values",
  async (_what, error, status, words, retryAfter, wait) => {
    whenSaving = () => {
      throw error;
    };
    const answer = await post({ ...contact, interest: "partnerships" });
    const page = load(answer.body);
    expect([answer.statusCode, page("[data-notice]").text()]).toEqual([status, contactMessages[words]]);
    expect(answer.headers["retry-after"]).toBe(retryAfter);
    expect(page("[data-wait]").text()).toBe(wait === undefined ? "" : contactWords.wait(wait));
    expect(page("input[name=email]").attr("value")).toBe(contact.email);
    expect(page("input[checked]").attr("value")).toBe("partnerships");
    expect(page("[data-prepared-mail]").is("[hidden]")).toBe(words === "tooFast");
    expect(answer.body).not.toContain("a secret");
  },
);

test("if a contact cannot be saved, the contact form has it as a prepared mail", async () => {
  whenSaving = () => {
    throw isAway;
  };
  const page = load((await post({ ...contact, name: `Zoë "Ö" O'Heron <b>\ud800\r\nEmail: x` })).body);
  const mail = new URL(page("[data-prepared-mail] a").attr("href") ?? "");
  expect(mail.pathname).toBe(brand.email);
  expect(mail.searchParams.get("subject")).toContain(`Zoë "Ö" O'Heron <b>\ufffd Email: x`);
  expect(mail.searchParams.get("body")).toContain(findInterestLabel("consulting"));
});

test.each([
  [{ "sec-fetch-site": "cross-site" }, 403],
  [{ origin: "https://elsewhere.example" }, 403],
  [{ origin: "null" }, 403],
  [{ origin: "http://localhost:80" }, 303],
  // A proxy may send a `Host` of its own, so the site's address counts too.
  [{ origin: "https://site.example" }, 303],
  [{ origin: "https://site.example", host: "site.example:8080" }, 303],
  [{ origin: "https://site.example.org" }, 403],
  [{ origin: "https://site.example", "sec-fetch-site": "cross-site" }, 403],
  [{ "sec-fetch-site": "same-origin" }, 303],
  [{}, 303],
])("a POST to `/contact` with the headers %j gets %i", async (headers, status) => {
  expect((await post(contact, headers)).statusCode).toBe(status);
  expect(saved).toHaveLength(status === 303 ? 1 : 0);
});

test("a request body that is too large gets 413; an unsupported content type gets 415", async () => {
  const large = await post({ ...contact, name: "x".repeat(40_000) }, html);
  expect([large.statusCode, load(large.body)("[data-error-message]").text()]).toEqual([413, "Payload Too Large"]);
  const xml = await app.inject({
    method: "POST",
    url: "/contact",
    headers: { ...json, "content-type": "text/xml" },
    body: "<a/>",
  });
  expect([xml.statusCode, xml.json()]).toEqual([415, { message: "Unsupported Media Type" }]);
});

function post(fields: Record<string, string>, headers: Record<string, string> = {}) {
  return app.inject({
    method: "POST",
    url: "/contact",
    headers: { host: "localhost", "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}
