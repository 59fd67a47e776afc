import { once } from "node:events";
import { connect as dial } from "node:net";
import { load } from "cheerio";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeEach, expect, test } from "vitest";
import { contactMessages } from "#content/messages";
import { type AppParts, buildApp } from "#server/app";
import { defaultPublicKey, readSettings } from "#server/settings";
import type { Asset } from "#server/static-site/assets";
import { createDatabase } from "#tests/support/database";
import { loadSigningKeys } from "#tests/support/signing-keys";

const database = await createDatabase();
const landing: Asset = {
  bodies: { identity: Buffer.from('<form action="/contact"><input name="name"><p data-notice></p></form>') },
  hash: "landing",
  type: "text/html",
  cacheControl: "no-cache",
  contentSecurityPolicy: undefined,
};
const { owner, caller } = database;
const parts: AppParts = {
  settings: readSettings({ TRUST_PROXY: "loopback" }),
  backend: { owner, caller, keys: await loadSigningKeys(owner), mailbox: undefined },
  assets: new Map([["/", landing]]),
  log: pino({ level: "silent" }),
};
const app = buildApp(parts);

/** Requests that call `hold` keep their connection until the test releases the lock. */
const holdLock = 1;
await owner.query(
  `create function public.hold() returns void language sql volatile as 'select pg_advisory_xact_lock_shared(${holdLock})'`,
);
await app.listen({ host: "127.0.0.1", port: 0 });
beforeEach(() => database.owner.query("truncate contacts, private.contact_senders"));
afterAll(() => app.close());

let sent = 0;
const contact = () => ({ name: "Ada", company: "Engines", email: `${++sent}@example.com`, interest: "consulting" });
const contacts = (count: number) => Array.from({ length: count }, contact);

test("one network may not send contacts faster than any office; both ways to send count together", async () => {
  const flooder = "11.0.66.1";
  for (let times = 0; times < 5; times++) expect((await callDataApi(flooder, contacts(20))).statusCode).toBe(201);

  const answer = await callDataApi(flooder, contacts(20));
  expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(answer.json()).toEqual({
    code: "PT429",
    message: "Too many requests came from your network. Please try again in a moment.",
    details: null,
    hint: null,
  });

  // One contact per second is allowed, so the first ones may pass on a slow machine.
  let page = await sendForm(flooder);
  while (page.statusCode === 303) page = await sendForm(flooder);
  expect([page.statusCode, page.headers["retry-after"]]).toEqual([429, "1"]);
  const document = load(page.body);
  expect(document("[data-notice]").text()).toBe(contactMessages.tooFast);
  expect(document("input[name=name]").attr("value")).toBe("Ada");

  expect((await callDataApi("198.51.100.7", contact())).statusCode).toBe(201);
  expect((await sendForm("198.51.100.7")).statusCode).toBe(303);
});

test("contacts sent by form and by data API share one limit of an hour: the 31st contact is spam", async () => {
  for (let times = 0; times < 30; times++) expect((await sendForm("11.0.67.1")).statusCode).toBe(303);
  const spam = "select from contacts where spam_reason is not null";
  expect((await owner.query(spam)).rowCount).toBe(0);
  expect((await callDataApi("11.0.67.1", contact())).statusCode).toBe(201);
  expect((await sendForm("11.0.67.1")).statusCode).toBe(303);
  expect((await owner.query(spam)).rowCount).toBe(2);
});

test("with AUTH_LIMITS=off the server does not limit contacts per network", async () => {
  const unlimited = buildApp({ ...parts, settings: readSettings({ TRUST_PROXY: "loopback", AUTH_LIMITS: "off" }) });
  for (let times = 0; times < 6; times++)
    expect((await callDataApi("11.0.68.1", contacts(20), unlimited)).statusCode).toBe(201);
  await unlimited.close();
});

test("one network, with 100 requests at once, uses 4 connections, and other visitors are served", async () => {
  const holder = await database.owner.connect();
  await holder.query("select pg_advisory_lock($1)", [holdLock]);
  const sent = flood("/rest/v1/rpc/hold", "11.0.69.1");
  try {
    await expect.poll(() => waitingFor("advisory")).toBe(4);
    for (let visitor = 0; visitor < 20; visitor++)
      expect((await callDataApi(`12.0.${visitor}.1`, contact())).statusCode).toBe(201);
    expect(await waitingFor("advisory")).toBeLessThanOrEqual(4);
    await expect.poll(() => sent.count(/HTTP\/1\.1 429 /g)).toBeGreaterThanOrEqual(46);
  } finally {
    await holder.query("select pg_advisory_unlock($1)", [holdLock]);
    holder.release();
  }
  await expect.poll(() => sent.count(/HTTP\/1\.1 /g)).toBe(100);
  expect(sent.count(/\r\nretry-after: 1\r/g)).toBe(sent.count(/HTTP\/1\.1 429 /g));
  await sent.close();
});

test("one network, with 100 sign-ins at once, leaves connections to the sign-ins of other visitors", async () => {
  const flooder = "11.0.70.1";
  await signIn(flooder);
  const holder = new pg.Client(database.url);
  await holder.connect();
  // While the row is locked, each further attempt of this network waits with a connection of its own.
  await holder.query("begin");
  await holder.query("select from auth.rate_limits for update");
  const sent = flood("/auth/v1/token?grant_type=password", flooder, JSON.stringify(guess));
  try {
    await expect.poll(() => waitingFor("transactionid", "tuple")).toBe(4);
    for (let visitor = 0; visitor < 5; visitor++)
      expect((await signIn(`12.0.${visitor}.1`)).json().code).toBe("invalid_credentials");
  } finally {
    await holder.query("rollback");
    await holder.end();
  }
  await expect.poll(() => sent.count(/HTTP\/1\.1 /g)).toBe(100);
  // Ten attempts at a password are compared.
  expect(sent.count(/"code":"over_request_rate_limit"/g)).toBeGreaterThanOrEqual(90);
  await sent.close();
});

/** Sends 100 requests at once, each on a connection of its own. */
function flood(path: string, address: string, body = "") {
  let received = "";
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\napikey: ${defaultPublicKey}\r\nX-Forwarded-For: ${address}\r\n`;
  const sockets = Array.from({ length: 100 }, () => {
    const socket = dial(Number(new URL(app.listeningOrigin).port), "127.0.0.1");
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    return socket;
  });
  return {
    count: (pattern: RegExp) => received.match(pattern)?.length ?? 0,
    close: () => Promise.all(sockets.map((socket) => once(socket.end(), "close"))),
  };
}

const guess = { email: "ada@example.com", password: "wrong horse" };

function signIn(address: string) {
  const headers = { apikey: defaultPublicKey, "x-forwarded-for": address, "x-supabase-api-version": "2024-01-01" };
  return app.inject({ method: "POST", url: "/auth/v1/token?grant_type=password", headers, payload: guess });
}

function callDataApi(address: string, payload: object, server = app) {
  const headers = { apikey: defaultPublicKey, "x-forwarded-for": address };
  return server.inject({ method: "POST", url: "/rest/v1/contacts", headers, payload });
}

function sendForm(address: string) {
  return app.inject({
    method: "POST",
    url: "/contact",
    headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address },
    payload: new URLSearchParams(contact()).toString(),
  });
}

/** The number of connections that wait for a lock of one of these kinds. */
async function waitingFor(...locks: string[]): Promise<number> {
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event = any ($1)";
  return (await database.owner.query(waiting, [locks])).rowCount ?? 0;
}
