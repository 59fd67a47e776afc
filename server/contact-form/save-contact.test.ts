import Fastify from "fastify";
import { afterAll, beforeEach, expect, test } from "vitest";
import { dataApi } from "#backend/data-api/data-api";
import { defaultPublicKey } from "#server/settings";
import { createDatabase } from "#tests/support/database";
import { contactFormRoutes } from "./contact-form-without-javascript.ts";
import { createSaveContact } from "./save-contact.ts";

const database = await createDatabase();
const publicKey = defaultPublicKey;
const app = Fastify();
const saveContact = createSaveContact(database.caller);
app.register(contactFormRoutes, { assets: new Map(), siteUrl: "https://site.example", saveContact });
const verifyToken = async () => ({ role: "anon" }) as const;
app.register(dataApi({ caller: database.caller, publicKey, verifyToken }), { prefix: "/rest/v1" });

beforeEach(() => database.owner.query("truncate contacts, private.contact_senders"));
afterAll(() => app.close());

test("contacts sent by form and by data API share one limit: the 31st contact is spam", async () => {
  for (let n = 0; n < 30; n++) expect(await sendForm("203.0.113.7", n)).toBe(303);
  expect(await storedAsSpam()).toEqual([]);
  expect(await callDataApi("203.0.113.7", 30)).toBe(201);
  // Without TRUST_PROXY a client cannot name another address.
  expect(await sendForm("203.0.113.7", 31, { "x-forwarded-for": "198.51.100.7" })).toBe(303);
  expect(await storedAsSpam()).toEqual(["30@example.com", "31@example.com"]);
});

async function sendForm(remoteAddress: string, n: number, headers = {}) {
  const answer = await app.inject({
    method: "POST",
    url: "/contact",
    remoteAddress,
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", ...headers },
    payload: new URLSearchParams(contact(n)).toString(),
  });
  return answer.statusCode;
}

async function callDataApi(remoteAddress: string, n: number) {
  const headers = { apikey: publicKey };
  const call = { method: "POST", url: "/rest/v1/contacts", remoteAddress, headers, payload: contact(n) } as const;
  return (await app.inject(call)).statusCode;
}

function contact(n: number) {
  return { name: "Ada", company: "Engines", email: `${n}@example.com`, interest: "consulting" };
}

async function storedAsSpam(): Promise<string[]> {
  const { rows } = await database.owner.query(
    "select email from contacts where spam_reason is not null order by email",
  );
  return rows.map(({ email }) => email);
}
