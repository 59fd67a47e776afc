import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Client } from "#backend/database/client";
import { runBackup } from "#operations/commands/backup/run-backup";
import { runRestore } from "#operations/commands/backup/run-restore";
import { runDemo } from "#operations/commands/demo/run-demo";
import { runDoctor } from "#operations/commands/doctor/run-doctor";
import { defaultPublicKey } from "#server/settings";
import { devMailPath } from "../support/dev-mailbox.ts";
import { admin } from "../support/run-command.ts";
import { freePort, type RunningSite, startSite } from "../support/site.ts";
import { startOwnPostgres } from "./own-postgres.ts";

const logins = "('fernway', 'fernway_authenticator')";
const credentials = { email: "ada@example.com", password: "a long walk in the woods" };

/** The two ways in which docs/postgresql.md#a-pooler-in-between lets the logins in. */
const userlists: Record<string, { settings: string; prepare: string; lines: string }> = {
  "a list of the site's logins": {
    settings: "",
    prepare: "select",
    lines: `select format('"%s" "%s"', rolname, rolpassword) as line from pg_authid where rolname in ${logins}`,
  },
  "a login that looks up the others": {
    settings: "auth_user = pgbouncer\nauth_query = select * from pgbouncer.login($1)",
    prepare: `create role pgbouncer login password 'looks up';
      grant connect on database fernway to pgbouncer;
      create schema pgbouncer;
      grant usage on schema pgbouncer to pgbouncer;
      create function pgbouncer.login(name) returns table (usename name, passwd text)
      language sql security definer set search_path = '' as 'select rolname, rolpassword from pg_catalog.pg_authid
        where rolname = $1 and rolname in (''fernway'', ''fernway_authenticator'')';
      revoke all on function pgbouncer.login from public;
      grant execute on function pgbouncer.login to pgbouncer`,
    lines: `select '"pgbouncer" "looks up"' as line`,
  },
};

describe.each(Object.entries(userlists))("through PgBouncer in transaction mode with %s", (_name, userlist) => {
  let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  let server: RunningSite | undefined;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "own-pooler-"));
    postgres = await startOwnPostgres();
    await inSiteDatabase(postgres, userlist.prepare);
    pooler = await startPgBouncer(postgres.port, { ...userlist, lines: await linesOf(userlist) });
  });
  const linesOf = async ({ lines }: typeof userlist) =>
    (await postgres.owner.query<{ line: string }>(lines)).rows.map(({ line }) => line);
  afterAll(async () => {
    await server?.stop();
    await pooler?.stop();
    await postgres?.stop();
    await rm(dataDir, { recursive: true });
  });

  test("the server starts, restarts and migrates; contacts, mails, logins, searches and commands work", async () => {
    const environment = { DATABASE_URL: postgres.url({ at: pooler.port }), NOTIFY_TO: "owner@example.com" };
    server = await startSite({ dataDir, environment });
    await server.stop();
    server = await startSite({ dataDir, environment });
    const { url } = server;
    const created = await admin(`create ${credentials.email} --admin --password-stdin`, {
      environment,
      input: credentials.password,
    });
    expect(created).toMatchObject({ code: 0, err: "" });

    const client = createClient(url, defaultPublicKey, { auth: { persistSession: false } });
    const send = (n: number) =>
      client
        .from("contacts")
        .insert({ name: `Zoë ${n}`, company: "Engines", email: `zoe${n}@example.com`, interest: "consulting" });
    const sent = await Promise.all(Array.from({ length: 10 }, (_, n) => send(n)));
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 201));
    await expect.poll(async () => (await mailsAt(url, dataDir)).length).toBe(10);

    expect((await client.auth.signInWithPassword(credentials)).error).toBeNull();
    const lists = await Promise.all(sent.map(() => client.from("contacts").select("name")));
    expect(lists.map(({ data }) => data?.length)).toEqual(lists.map(() => 10));
    const { data: found } = await client.from("contacts").select("name").like("search_text", "%zoe 7%");
    expect(found).toMatchObject([{ name: "Zoë 7" }]);
    const { data: changed } = await client.from("contacts").update({ note: "!" }).eq("name", "Zoë 7").select("note");
    expect(changed).toEqual([{ note: "!" }]);
    expect((await client.auth.refreshSession()).error).toBeNull();

    for (const line of ["list", "export zoe1@example.com", "erase zoe7@example.com --yes", "rotate-keys"])
      expect(await admin(line, { environment }), line).toMatchObject({ code: 0, err: "" });
    const printed: string[] = [];
    const output = { print: (text: string) => printed.push(text), printNote() {}, printError() {} };
    expect(await runDemo([], { environment: { ...environment, ENV_FILE: "" }, ...output })).toBe(0);
    expect(printed.join()).toContain("admin@demo.example");
    const doctor: string[] = [];
    const terminal = {
      environment: { ...environment, ENV_FILE: "" },
      print: (text: string) => doctor.push(text),
    };
    await runDoctor([], { ...terminal, printError() {} });
    const findings = doctor.join("\n").match(/^.*(database|access) .*$/gm) ?? [];
    expect(findings.filter((line) => !line.startsWith("ok"))).toEqual([]);
    expect(findings.length).toBeGreaterThan(6);
    expect(server.output()).not.toMatch(/"level":(40|50|60)/);

    // Behind the pooler, too, a restart of PostgreSQL delays contacts, and none is lost.
    const late = [10, 11, 12, 13].map(send);
    await postgres.restart();
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await send(14)).status).toBe(201);
  });

  test.runIf(userlist.settings === "")("a backup is made and restored into another database", async () => {
    await server?.stop();
    const printed: string[] = [];
    const print = (text: unknown) => printed.push(String(text));
    const terminal = (database: string) => ({
      environment: { ENV_FILE: "", DATABASE_URL: postgres.url({ at: pooler.port, database }) },
      ...{ print, printNote() {}, printError: print },
    });
    const file = join(dataDir, "site.zip");
    expect(await runBackup([file], terminal("fernway")), printed.join()).toBe(0);
    // This sets the password of the callers' login again, and the pooler's list stays right.
    await postgres.prepare("copy");
    expect(await runRestore([file], terminal("copy")), printed.join()).toBe(0);
    const { code, out } = await admin("list", { environment: terminal("copy").environment });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(credentials.email) });
  });

  test.runIf(userlist.settings === "")(
    "a pooler that knows the owner only ends the start with one sentence",
    async () => {
      const { rows } = await postgres.owner.query<{ line: string }>(userlist.lines);
      const lines = rows.map(({ line }) => line).filter((line) => !line.includes("authenticator"));
      const ignorant = await startPgBouncer(postgres.port, { settings: "", lines });
      const { code, err } = await admin("grant ada@example.com", {
        environment: { DATABASE_URL: postgres.url({ at: ignorant.port }) },
      });
      await ignorant.stop();
      expect(code).toBe(1);
      expect(err).toMatch(/^The login fernway_authenticator refuses .* a pooler in between must know that login, too/);
    },
  );
});

test("through a session pooler with 15 connections, sign-ups right after contacts wait for a connection", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "own-pooler-"));
  const postgres = await startOwnPostgres();
  const { rows } = await postgres.owner.query<{ line: string }>(userlists["a list of the site's logins"]?.lines ?? "");
  const settings = "pool_mode = session\ndefault_pool_size = 15\nmax_client_conn = 15";
  const pooler = await startPgBouncer(postgres.port, { settings, lines: rows.map(({ line }) => line) });
  const environment = { DATABASE_URL: postgres.url({ at: pooler.port }), AUTH_LIMITS: "on" };
  const server = await startSite({ dataDir, environment });
  onTestFinished(async () => {
    await server.stop();
    await pooler.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  });
  const contact = { name: "Zoë", company: "Engines", interest: "consulting" };
  // Supabase's client would repeat some of them.
  const send = (count: number, path: string, body: object) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const headers = { apikey: defaultPublicKey, "content-type": "application/json" };
        const text = JSON.stringify({ ...body, email: `zoe${n}@example.com` });
        return (await fetch(`${server.url}${path}`, { method: "POST", headers, body: text })).status;
      }),
    );
  expect(await send(20, "/rest/v1/contacts", contact)).toEqual(Array(20).fill(201));
  expect(await send(10, "/auth/v1/signup", credentials)).toEqual(Array(10).fill(200));

  await server.stop();
  const printed: string[] = [];
  const print = (text: unknown) => printed.push(String(text));
  await runDoctor([], { environment: { ...environment, ENV_FILE: "" }, print, printError: print });
  expect(printed.join("\n").replace(/\s+/g, " ")).toMatch(/Only 1[0-5] connections can be opened for this site/);
});

async function mailsAt(url: string, dataDir: string): Promise<unknown[]> {
  return (await fetch(`${url}${await devMailPath(dataDir)}`)).json();
}

/** Runs SQL as the superuser of the test, in the database of the site. */
async function inSiteDatabase({ owner }: Awaited<ReturnType<typeof startOwnPostgres>>, sql: string) {
  const client = new Client({ ...owner.options, password: owner.options.password, database: "fernway" });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Debian's package has this name, too. `npm run test:long` installs it. */
const program = "pgbouncer";

async function startPgBouncer(postgresPort: number, { settings, lines }: { settings: string; lines: string[] }) {
  const dir = await mkdtemp(join(tmpdir(), "pgbouncer-"));
  // PgBouncer refuses to run as root, and reads its files as the user it becomes.
  await chmod(dir, 0o755);
  const port = await freePort();
  await writeFile(join(dir, "userlist.txt"), lines.join("\n"));
  await writeFile(
    join(dir, "pgbouncer.ini"),
    `[databases]
fernway = host=127.0.0.1 port=${postgresPort}
copy = host=127.0.0.1 port=${postgresPort}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
auth_type = scram-sha-256
auth_file = ${join(dir, "userlist.txt")}
default_pool_size = 4
server_login_retry = 1
${settings}`,
  );
  const options = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(program, [...options, join(dir, "pgbouncer.ini")], { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  while (!(await accepts(port))) if (child.exitCode !== null) throw new Error(`PgBouncer ended.\n${log}`);
  return {
    port,
    async stop() {
      child.kill("SIGINT");
      if (child.exitCode === null) await once(child, "exit");
      await rm(dir, { recursive: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
