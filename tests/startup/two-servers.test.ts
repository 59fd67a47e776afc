import { setTimeout as pause } from "node:timers/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { defaultPublicKey } from "#server/settings";
import { createDatabase } from "#tests/support/database";
import { admin } from "#tests/support/run-command";
import { type RunningSite, startSite } from "#tests/support/site";
import { temporaryFolder } from "#tests/support/temporary-folder";

/** Two servers on the database of one DATABASE_URL. */
const database = await createDatabase();
const credentials = { email: "ada@example.com", password: "a long walk in the woods" };
const run = (line: string, input = "") => admin(line, { environment: { DATABASE_URL: database.url }, input });
const dataDir = await temporaryFolder();
const servers: RunningSite[] = [];

beforeAll(async () => {
  const settings = { DATABASE_URL: database.url, SMTP_URL: "smtp://owl:hoo@127.0.0.1:1" };
  for (const ADMIN_MFA of ["required", "optional"])
    servers.push(await startSite({ dataDir, environment: { ...settings, ADMIN_MFA } }));
  await run("create ada@example.com --admin --password-stdin", credentials.password);
});
afterAll(() => Promise.all(servers.map((server) => server.stop())));

test("with different values of ADMIN_MFA the last start wins, and each start logs its change", async () => {
  const lines = servers.map((server) =>
    server
      .output()
      .split("\n")
      .filter((line) => line.includes("ADMIN_MFA"))
      .map((line) => JSON.parse(line).msg),
  );
  expect(lines).toEqual([
    ["ADMIN_MFA is required: admins read contacts only with a second factor."],
    ["ADMIN_MFA is optional now: admins without a second factor read contacts again."],
  ]);
  const { rows } = await database.owner.query("select required from private.second_factor_rule");
  expect(rows).toEqual([{ required: false }]);
});

test("an unreachable mail server, logged in one line without its password, delays no contact", async () => {
  const contact = { name: "Ada", company: "Engines", email: "waiting@example.com", interest: "consulting" };
  const { error } = await clientOf(servers[0]).from("contacts").insert(contact);
  expect(error).toBeNull();
  const warnings = () => servers[0]?.output().match(/^.*The mail server .*$/gm) ?? [];
  await expect.poll(warnings).toHaveLength(1);
  expect(warnings()[0]).toContain(
    "The mail server 127.0.0.1:1 could not be reached: connection refused. Emails wait in the queue until it is ready.",
  );
  expect(servers[0]?.output()).not.toContain("owl:hoo");
});

test("while the key is rotated no request is refused, and afterwards old and new tokens work at both servers", async () => {
  const clients = servers.map(clientOf);
  const old = await Promise.all(clients.map(signIn));
  const [oldKid = ""] = await publishedKids(servers[0]);
  for (const client of clients) expect((await client.auth.getClaims()).data?.header.kid).toBe(oldKid);

  const answers: number[] = [];
  const errors: unknown[] = [];
  let rotated = false;
  const load = servers.flatMap((server, index) => [
    repeatUntil(
      () => rotated,
      async () => {
        for (const token of old) answers.push(await readContacts(server, token));
      },
    ),
    // Each new token is used at once at the other server, which may not have seen its key yet.
    repeatUntil(
      () => rotated,
      async () => {
        const { data, error } = await (clients[index] as SupabaseClient).auth.refreshSession();
        if (error) errors.push(error);
        answers.push(await readContacts(servers[1 - index], data.session?.access_token));
      },
    ),
  ]);
  const { code, out } = await run("rotate-keys");
  const newKid = /^New tokens are signed with the key (\S+)\. /.exec(out)?.[1] ?? "";
  expect([code, newKid]).toEqual([0, expect.stringMatching(/^[\w-]{43}$/)]);
  await vi.waitFor(
    async () => {
      for (const server of servers) expect(await publishedKids(server)).toEqual([newKid, oldKid]);
      for (const client of clients) expect(await kidOfSession(client)).toBe(newKid);
    },
    { timeout: 30_000 },
  );
  rotated = true;
  await Promise.all(load);
  expect(errors).toEqual([]);
  expect(new Set(answers)).toEqual(new Set([200]));

  // These clients remember the published keys of before; a new client reads them now.
  for (const client of [...clients, ...servers.map(clientOf)])
    for (const token of [old[0], (await clients[0]?.auth.getSession())?.data.session?.access_token])
      expect((await client.auth.getClaims(token)).data?.claims.email).toBe(credentials.email);
  const { rows } = await database.owner.query(
    "select payload from auth.audit_log_entries where payload ->> 'action' = 'signing_key_rotated'",
  );
  expect(rows).toMatchObject([{ payload: { actor_username: "operator" } }]);
});

test("`rotate-keys --now` ends the old keys and all sessions at both servers, also after a restart of PostgreSQL", async () => {
  const client = clientOf(servers[0]);
  const token = await signIn(client);
  const before = await publishedKids(servers[1]);
  const refused = await run("rotate-keys --now");
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^All sessions \(\d+\) end at once, .*--yes$/s),
  });
  expect(await readContacts(servers[1], token)).toBe(200);

  await database.owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  const { out } = await run("rotate-keys --now --yes");
  expect(out).toMatch(
    /^New tokens are signed with the key \S+\. The old keys no longer work, and all sessions \(\d+\) /,
  );
  for (const server of servers) expect(await readContacts(server, token)).toBe(401);
  expect((await client.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");

  await vi.waitFor(
    async () => {
      for (const server of servers) {
        expect(await publishedKids(server)).toHaveLength(1);
        expect(before).not.toContain((await publishedKids(server))[0]);
      }
    },
    { timeout: 30_000 },
  );
  for (const server of servers) expect(await readContacts(server, await signIn(client))).toBe(200);
});

function clientOf(server: RunningSite | undefined, index = Math.random()): SupabaseClient {
  return createClient(server?.url ?? "", defaultPublicKey, {
    auth: { autoRefreshToken: false, storageKey: `browser-${index}` },
  });
}

async function signIn(client: SupabaseClient): Promise<string> {
  const { data, error } = await client.auth.signInWithPassword(credentials);
  if (error) throw error;
  return data.session.access_token;
}

async function kidOfSession(client: SupabaseClient): Promise<string | undefined> {
  const { data } = await client.auth.getSession();
  return decodeProtectedHeader(data.session?.access_token ?? "").kid;
}

async function publishedKids(server: RunningSite | undefined): Promise<string[]> {
  const answer = await fetch(`${server?.url}/auth/v1/.well-known/jwks.json`);
  const { keys } = (await answer.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

async function readContacts(server: RunningSite | undefined, token = ""): Promise<number> {
  const headers = { apikey: defaultPublicKey, authorization: `Bearer ${token}` };
  return (await fetch(`${server?.url}/rest/v1/contacts?select=id`, { headers })).status;
}

async function repeatUntil(ended: () => boolean, work: () => Promise<void>) {
  // Each request and the next one overlap with those of the other loops; more of them would only take the processor.
  while (!ended()) await work().then(() => pause(20));
}
