import { resolve } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { CapturedMailbox } from "#server/mail/dev-mailbox";
import { defaultPublicKey } from "#server/settings";
import { readAssets } from "#server/static-site/assets";
import { loadSigningKeys } from "#tests/support/signing-keys";
import { createDatabase, createUser } from "../support/database.ts";
import { testSiteSettings } from "../support/site.ts";
import { seed } from "./access-database.ts";
import { differences, documented } from "./access-document.ts";
import { sender, serviceToken, setPassword, signIn, startServer, withToken } from "./access-http.ts";
import { addSession, methodsByName, observeRoutes, requestsOf } from "./access-routes.ts";

const database = await createDatabase();
const { user, admin } = await seed(database);
const account = await createUser(database);
const bystander = { ...account, sessionId: await addSession(database, account) };
const owing = await createUser(database, { admin: true });
for (const person of [user, admin, bystander, owing]) await setPassword(database, person);

const assets = await readAssets(resolve(testSiteSettings.BUILD_DIR));
const keys = await loadSigningKeys(database.owner);
const backend = { ...database, keys, mailbox: new CapturedMailbox() };
const { app, routes } = await startServer({ backend, assets });
afterAll(() => app.close());

await signIn(app, bystander);
const adminToken = await signIn(app, admin);
const callers = {
  anon: sender(app, { apikey: defaultPublicKey }),
  user: sender(app, withToken(await signIn(app, user))),
  admin: sender(app, withToken(adminToken)),
  service: sender(app, withToken(await serviceToken(keys, adminToken))),
};

const before = await rowsOfOthers();
afterEach(async () => expect(await rowsOfOthers()).toEqual(before));

test("every route answers each caller as docs/access.md says", async () => {
  const observed = await observeRoutes(
    routes,
    {
      "without key": { send: sender(app, {}), account: user },
      anon: { send: callers.anon, account: user },
      user: { send: callers.user, account: user },
      admin: { send: callers.admin, account: admin },
    },
    requestsOf(),
    bystander,
  );
  expect(differences(documented, new Map([["Routes", observed]]))).toEqual([]);
});

test("a token with the role service_role opens no route that the public key alone does not open", async () => {
  const { anon, service } = callers;
  const tried = { anon: { send: anon, account: admin }, service: { send: service, account: admin } };
  const observed = await observeRoutes(routes, tried, requestsOf(), bystander);
  const opened = [...observed].filter(([, row]) => row.service !== row.anon && !/^40[13]$/.test(row.service ?? ""));
  expect(opened).toEqual([]);
  expect(observed.get("any /rest/v1/*")?.service).toBe("401");
});

test("an admin whose session owes the second factor may do what the column user says", async () => {
  const send = sender(app, withToken(await signIn(app, owing)));
  await database.owner.query("select private.set_second_factor_rule(true)");
  const callers = { user: { send, account: owing } };
  const section = await observeRoutes(routes, callers, requestsOf(), bystander);
  await database.owner.query("select private.set_second_factor_rule(false)");
  expect(differences(documented, new Map([["Routes", section]]))).toEqual([]);
});

test("in front of a hosted project, the server has only the routes of pages, the contact form and health", async () => {
  const hosted = await startServer({ backend: undefined, assets });
  await hosted.app.close();
  expect([...methodsByName(hosted.routes).keys()].sort()).toEqual(
    ["/*", "/contact", "/healthz", "/readyz"].map((path) => `GET ${path}`).concat("POST /contact"),
  );
});

/** What only its owner or an admin may change. */
async function rowsOfOthers() {
  const { rows } = await database.owner.query(
    `select (select to_jsonb(u) from auth.users u where u.id = $1) as account,
            (select to_jsonb(s) from auth.sessions s where s.id = $2) as session,
            (select jsonb_agg(to_jsonb(c) order by c.id) from public.contacts c where c.name = 'Bystander') as contacts,
            (select jsonb_agg(to_jsonb(r)) from public.user_roles r) as roles`,
    [bystander.id, bystander.sessionId],
  );
  return rows;
}
