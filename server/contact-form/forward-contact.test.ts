import { createServer, type RequestListener } from "node:http";
import { resolve } from "node:path";
import { load } from "cheerio";
import Fastify from "fastify";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { hostedMessages } from "#content/prepared-mail";
import { readAssets } from "#server/static-site/assets";
import { publicKey, startDataApi } from "#tests/support/data-api";
import { createDatabase } from "#tests/support/database";
import { exampleText } from "#tests/support/example";
import { listenOnLoopback } from "#tests/support/listen-on-loopback";
import { siteUrl, testSiteSettings } from "#tests/support/site";
import { waitSeconds } from "#validation/contact";
import { contactFormRoutes } from "./contact-form-without-javascript.ts";
import { createForwardContact, type HostedProject } from "./forward-contact.ts";
import { forwardLimit } from "./forward-limit.ts";

/** The hosted project: this product's data API on a database of its own. */
const database = await createDatabase();
const project = await startDataApi({ caller: database.caller });
const assets = await readAssets(resolve(testSiteSettings.BUILD_DIR));
beforeEach(() => database.owner.query("truncate contacts"));

const ada = { name: "Ada O'Heron", company: "Engines", email: "o'heron@example.com", interest: "consulting" };

test("a contact is inserted as anon with the public key, and the visitor is thanked", async () => {
  const { post } = await startSite({});
  expect(await post(ada, { cookie: "a=b", "x-forwarded-for": "203.0.113.9" })).toMatchObject({
    status: 303,
    location: "/thanks",
  });
  const { url, headers, body } = await project.last();
  expect([url, JSON.parse(body ?? "")]).toEqual(["/rest/v1/contacts", { ...ada, name: "Ada OHeron" }]);
  expect(headers).toMatchObject({ apikey: publicKey, prefer: "return=minimal" });
  for (const name of ["authorization", "cookie", "x-forwarded-for"]) expect(headers[name]).toBeUndefined();
  expect(await stored()).toEqual([{ ...ada, name: "Ada OHeron" }]);
});

test("the source that the page with the form tells goes on to the project, unless the visitor objects", async () => {
  const { post } = await startSite({});
  const referer = `${siteUrl}/?ref=card`;
  await post(ada, { referer });
  await post({ ...ada, email: "grace@example.com" }, { referer, "sec-gpc": "1" });
  const { rows } = await database.owner.query("select campaign, first_page from contacts order by email desc");
  expect(rows).toEqual([
    { campaign: "card", first_page: "/" },
    { campaign: "", first_page: "" },
  ]);
});

test("a legacy key, which is a JWT, is also sent as the token", async () => {
  const key = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmF0dXJl";
  const tokens: unknown[] = [];
  const url = await startStub(({ headers }, answer) => {
    tokens.push([headers.apikey, headers.authorization]);
    answer.writeHead(201).end();
  });
  const { post } = await startSite({ url, publicKey: key });
  expect(await post(ada)).toMatchObject({ status: 303 });
  expect(tokens).toEqual([[key, `Bearer ${key}`]]);
});

test("a refusal by a rule of the project is shown with the typed values", async () => {
  const { post, log } = await startSite({});
  await post(ada);
  expect(await post({ ...ada, name: "Grace" })).toMatchObject({
    status: 429,
    notice: exampleText(contactMessages.tooFast),
    wait: contactWords.wait(waitSeconds),
    fields: { ...ada, name: "Grace" },
  });

  await database.owner.query(`
    create function pg_temp.refuse() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '23514', message = 'No herons today.'; end $$;
    create trigger "9 refuse" before insert on contacts for each row when (new.company = 'Herons') execute function pg_temp.refuse()`);
  onTestFinished(async () => void (await database.owner.query('drop trigger "9 refuse" on contacts')));
  expect(await post({ ...ada, company: "Herons", email: "grace@example.com" })).toMatchObject({
    status: 422,
    notice: "No herons today.",
  });
  expect(log).toEqual([]);
});

test("a failed check of a column is not shown to the visitor", async () => {
  await database.owner.query("alter table contacts add constraint no_herons check (company <> 'Herons')");
  onTestFinished(async () => void (await database.owner.query("alter table contacts drop constraint no_herons")));
  const { post, log } = await startSite({});
  expect(await post({ ...ada, company: "Herons" })).toMatchObject({ status: 503, notice: hostedMessages.notSaved });
  expect(log).toEqual([expect.stringMatching(/^A contact was not saved: 127\.0\.0\.1:\d+ answered 400 23514\.$/)]);
});

test("with a wrong key, visitor and operator read that nothing was saved, and nothing secret is logged", async () => {
  const { post, log } = await startSite({ publicKey: "sb_publishable_wrong" });
  expect(await post(ada)).toMatchObject({ status: 503, notice: hostedMessages.notSaved, fields: ada });
  expect(await stored()).toEqual([]);
  expect(log).toEqual([expect.stringMatching(/ answered 401\.$/)]);
  expect(hostedMessages.notSaved).toMatch(/\S+@\S+/);
});

test.each<[string, RequestListener, RegExp]>([
  [
    "a gateway answers with a page",
    (_, answer) => answer.writeHead(502).end("<h1>Bad Gateway</h1>"),
    /answered 502\.$/,
  ],
  [
    "the table is missing",
    (_, answer) => answer.writeHead(404).end('{"code":"PGRST205","message":"x"}'),
    /404 PGRST205\.$/,
  ],
  ["the answer is no object", (_, answer) => answer.writeHead(400).end("null"), /answered 400\.$/],
  ["the project redirects", (_, answer) => answer.writeHead(307, { location: "/elsewhere" }).end(), /answered 307\.$/],
  [
    "the answer does not end",
    (_, answer) => answer.writeHead(400).write(Buffer.alloc(100_000)),
    /answered with more than 64 KiB\.$/,
  ],
  ["the project closes the connection", ({ socket }) => socket.destroy(), /closed the connection without an answer\.$/],
])("if %s, the visitor reads where to write instead", async (_, listener, reason) => {
  const paths: unknown[] = [];
  const url = await startStub((request, answer) => {
    paths.push(request.url);
    listener(request, answer);
  });
  const { post, log } = await startSite({ url });
  expect(await post(ada)).toMatchObject({ status: 503, notice: hostedMessages.notSaved, fields: ada });
  expect(log).toEqual([expect.stringMatching(reason)]);
  expect(new Set(paths)).toEqual(new Set(["/rest/v1/contacts"]));
  expect(log.join()).not.toMatch(/ada|engines|sb_/i);
});

test("if the project sends no answer, the visitor does not wait for ever", async () => {
  const { post, log } = await startSite({ url: await startStub(() => {}), attemptMillisecondsMax: 50 });
  expect(await post(ada)).toMatchObject({ status: 503, notice: hostedMessages.notSaved, fields: ada });
  expect(log).toEqual([expect.stringMatching(/did not answer in time\.$/)]);
});

test("a contact whose answer is lost is sent again and stored once", async () => {
  let requests = 0;
  const url = await startStub(async (request, answer) => {
    requests += 1;
    const { status } = await fetch(`${project.url}${request.url}`, {
      method: "POST",
      headers: { apikey: publicKey, "content-type": "application/json" },
      body: await new Response(request as unknown as ReadableStream).text(),
    });
    if (requests === 1) return void request.socket.destroy();
    answer.writeHead(status).end();
  });
  const { post } = await startSite({ url });
  expect(await post(ada)).toMatchObject({ status: 303 });
  expect([requests, await stored()]).toEqual([2, [expect.objectContaining({ email: ada.email })]]);
});

test("past the limit of an hour the visitor reads where to write, and nothing is forwarded", async () => {
  const take = forwardLimit();
  const { post } = await startSite({}, take);
  for (let n = 0; n < 29; n++) take("127.0.0.1");
  // A refused contact does not count.
  expect(await post(ada)).toMatchObject({ status: 303 });
  expect(await post({ ...ada, email: "grace@example.com" })).toMatchObject({
    status: 429,
    notice: hostedMessages.notSaved,
    fields: { email: "grace@example.com" },
  });
  expect(await stored()).toHaveLength(1);
});

test("a contact that the project refuses gives its place back", async () => {
  const take = forwardLimit();
  const { post } = await startSite({}, take);
  for (let n = 0; n < 28; n++) take("127.0.0.1");
  expect((await post(ada)).status).toBe(303);
  for (let n = 0; n < 3; n++)
    expect((await post({ ...ada, name: "Grace" })).notice).toEqual(exampleText(contactMessages.tooFast));
  expect((await post({ ...ada, email: "grace@example.com" })).status).toBe(303);
});

/** Serves the built site with the form that forwards to this project. */
async function startSite(changed: Partial<HostedProject>, take?: ReturnType<typeof forwardLimit>) {
  const log: string[] = [];
  const app = Fastify({
    logger: { level: "warn", stream: { write: (line: string) => void log.push(JSON.parse(line).msg) } },
  });
  onTestFinished(() => app.close());
  const saveContact = createForwardContact({ url: project.url, publicKey, ...changed }, take);
  app.register(contactFormRoutes, { assets, siteUrl, saveContact });

  async function post(contact: typeof ada, headers = {}) {
    const {
      statusCode,
      headers: answered,
      body,
    } = await app.inject({
      method: "POST",
      url: "/contact",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      payload: new URLSearchParams(contact).toString(),
    });
    const page = load(body);
    const typed = (name: string) => page(`input[name=${name}]`).attr("value");
    const fields = {
      ...{ name: typed("name"), company: typed("company"), email: typed("email") },
      interest: page("input[name=interest][checked]").attr("value"),
    };
    const [notice, wait] = ["[data-notice]", "[data-wait]"].map((part) => page(part).text());
    return { status: statusCode, location: answered.location, notice, wait, fields };
  }
  return { post, log };
}

/** Imitates a project, for answers that this product's data API does not give. */
async function startStub(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listenOnLoopback(createServer(listener))}`;
}

async function stored() {
  return (await database.owner.query("select name, company, email, interest from contacts")).rows;
}
