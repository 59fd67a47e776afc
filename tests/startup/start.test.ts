import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from "vitest";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { defaultPublicKey } from "#server/settings";
import { copyDataDir } from "#tests/support/data-dir";
import { createDatabase } from "#tests/support/database";
import { devMailPath } from "#tests/support/dev-mailbox";
import { freePort, type RunningSite, startSite, testSiteSettings } from "#tests/support/site";
import { endLeftoverProcesses, isAlive } from "../../scripts/leftover-processes.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
let dataDir: string;
let running: RunningSite[];
let children: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "start-"));
  await copyDataDir(inject("preparedDataDir"), dataDir);
  running = [];
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(running.map((site) => site.stop()));
  // A killed server leaves its PostgreSQL running.
  await endLeftoverProcesses(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

test("without SMTP_URL, a mailed link is neither printed nor readable without the key in DATA_DIR", async () => {
  const site = await start();
  const email = "link@example.com";
  const body = JSON.stringify({ email, password: "a long walk in the woods" });
  const headers = { apikey: defaultPublicKey, "content-type": "application/json" };
  expect((await fetch(`${site.url}/auth/v1/signup`, { method: "POST", headers, body })).status).toBe(200);

  await waitUntil(async () => site.output().includes("An email was not sent."));
  const mails = await fetch(site.url + (await devMailPath(dataDir)));
  const [mail] = await mails.json();
  expect(mail).toMatchObject({ to: email, text: expect.stringContaining("token_hash=") });
  expect(site.output()).not.toMatch(/token_hash=|link@example\.com|key=\w/);
  expect((await fetch(`${site.url}/dev/mail.json`)).status).toBe(404);
});

test("a contact answered with status 201 survives SIGKILL of the server and PostgreSQL", async () => {
  const site = await start();
  expect(await send(site, "stored@example.com")).toBe(201);
  process.kill(await postgresPid(), "SIGKILL");
  await site.kill();

  await start();
  expect(await storedFrom("stored@example.com")).toBe(1);
});

test("an unreachable mail server, logged in one line, and a failed query for the start message delay no contact", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  await database.owner.query("alter table public.user_roles rename to roles_of_users");
  const site = await start({ DATABASE_URL: database.url, SMTP_URL: "smtp://owl:hoo@127.0.0.1:1" });
  expect(await send(site, "waiting@example.com")).toBe(201);

  const warnings = () => site.output().match(/^.*The mail server .*$/gm) ?? [];
  await waitUntil(async () => warnings().length > 0);
  expect(warnings()).toEqual([
    expect.stringContaining(
      "The mail server 127.0.0.1:1 could not be reached: connection refused. Emails wait in the queue until it is ready.",
    ),
  ]);
  expect(site.output()).not.toContain("owl:hoo");
});

test("a server removes expired contacts when the job of the day is due", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const { owner } = database;
  const rowsOf = async (sql: string) => (await owner.query(sql)).rowCount;
  await owner.query(`insert into contacts (name, email, interest, submitted_at) values
    ('Old', 'old@example.com', 'consulting', now() - interval '4 months'), ('New', 'new@example.com', 'consulting', now())`);
  await start({ DATABASE_URL: database.url, CONTACT_MONTHS: "3" });
  await waitUntil(
    async () => (await rowsOf("select from private.jobs where run_at > now() + interval '23 hours'")) === 1,
  );
  await owner.query("update private.jobs set run_at = now() where task = 'remove-expired-contacts'");
  await waitUntil(async () => (await rowsOf("select from contacts")) === 1);
  expect(await rowsOf("select from contacts where name = 'New'")).toBe(1);
});

test("a server that starts before its PostgreSQL serves pages, answers 503, and then everything", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const [port, postgresPort] = [await freePort(), await freePort()];
  const url = new URL(database.url);
  url.host = `127.0.0.1:${postgresPort}`;
  const site = { url: `http://localhost:${port}` };
  const starting = startSite({ dataDir, port, environment: { DATABASE_URL: url.href } });
  await waitUntil(async () => (await fetch(`${site.url}/`).catch(() => undefined))?.status === 200);

  expect(await send(site, "early@example.com")).toBe(503);
  const form = new URLSearchParams({ name: "A", company: "B", email: "a@example.com", interest: "consulting" });
  const posted = await fetch(`${site.url}/contact`, { method: "POST", body: form });
  expect([posted.status, posted.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await posted.text()).toContain("mailto:");
  const keys = await fetch(`${site.url}/auth/v1/.well-known/jwks.json`);
  expect([keys.status, keys.headers.get("retry-after")]).toEqual([503, "1"]);

  // PostgreSQL is there now: this passes every connection on to it.
  const { host, port: realPort } = database.connection;
  const sockets = new Set<Socket>();
  const postgres = createServer((client) => {
    const real = createConnection(
      host.startsWith("/") ? { path: `${host}/.s.PGSQL.${realPort}` } : { host, port: realPort },
    );
    for (const socket of [client, real]) sockets.add(socket.on("error", () => {}));
    client.pipe(real).pipe(client);
  }).listen(postgresPort, "127.0.0.1");
  onTestFinished(() => {
    postgres.close();
    for (const socket of sockets) socket.destroy();
  });
  running.push(await starting);
  expect(await send(site, "late@example.com")).toBe(201);
  expect((await fetch(`${site.url}/auth/v1/.well-known/jwks.json`)).status).toBe(200);
  expect((await starting).output()).toMatch(/cannot be used: .*ECONNREFUSED.*Waiting for it[\s\S]*continuing to start/);
});

test("a start with a wrong password in DATABASE_URL does not wait", async () => {
  const { user, host, port } = inject("postgres");
  const DATABASE_URL = `postgres://${user}:wrong@${encodeURIComponent(host)}:${port}/postgres`;
  const refused = startRefused({ DATABASE_URL, PORT: String(await freePort()) });
  expect(refused).toEqual({
    status: 1,
    lines: [expect.stringMatching(/^The PostgreSQL of DATABASE_URL cannot be used: /)],
  });
});

test("a stopping server answers pending requests, drops slow clients and ends PostgreSQL", async () => {
  const site = await start();
  const body = "POST /rest/v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n";
  const clients = await Promise.all([
    dial(site, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "),
    dial(site, `${body}apikey: ${defaultPublicKey}\r\n\r\n{`),
    // This client reads no responses. The 500 responses do not fit into the socket buffers of client and server.
    dial(site, "GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(500)),
    dial(site, ""),
  ]);
  const idleClosed = once(clients[3], "close");
  const probe = await dial(site, "GET /readyz HTTP/1.1\r\nHost: x\r\n");
  const byteTimer = setInterval(() => {
    for (const client of clients.slice(0, 2)) client.write("x");
  }, 50);
  onTestFinished(() => clearInterval(byteTimer));

  // The insert is cancelled if it waits three seconds for the lock, so all slow steps come before the lock.
  const postgres = await postgresPid();
  const db = await connect();
  await db.query("begin; lock table contacts in access exclusive mode");
  const answer = send(site, "in-flight@example.com");
  await waitUntil(async () => (await db.query("select 1 from pg_locks where not granted")).rowCount === 1);
  const stopped = site.stop();
  process.kill(site.pid, "SIGTERM");
  // The port is closed when the stop begins. The rest of the probe comes after that.
  await waitUntil(async () => (await dial(site, "").catch(() => undefined)) === undefined);
  probe.write("\r\n");
  expect(await text(probe)).toMatch(/^HTTP\/1.1 503 [\s\S]*"server":"stopping"/);
  await db.query("commit");
  await db.end();
  await idleClosed;
  expect(await answer).toBe(201);
  expect(await stopped).toBe(0);
  expect(site.output()).not.toContain("Shutting down anyway");
  expect(isAlive(postgres)).toBe(false);
});

test("a stopping server kills a PostgreSQL that hangs", async () => {
  const site = await start();
  const db = await connect();
  const { rows } = await db.query("select pg_backend_pid() as pid");
  const postgres = await postgresPid();
  // The stopped process acts like a PostgreSQL process that hangs in the kernel on a broken disk. PostgreSQL's fast
  // shutdown waits for such a process.
  process.kill(rows[0].pid, "SIGSTOP");
  try {
    expect(await site.stop()).toBe(0);
    expect(site.output()).not.toContain("Shutting down anyway");
    // A killed process takes a moment to disappear.
    await waitUntil(async () => !isAlive(postgres));
  } finally {
    process.kill(rows[0].pid, "SIGKILL");
  }
});

test("a server stopped during its start leaves no PostgreSQL running", async () => {
  const child = spawn(process.execPath, ["server/main.mjs"], {
    cwd: root,
    env: { ...process.env, ...testSiteSettings, DATA_DIR: dataDir, PORT: String(await freePort()) },
    stdio: "ignore",
  });
  children.push(child);
  const ended = once(child, "exit");
  const pid = () => postgresPid().catch(() => Number.NaN);
  await vi.waitUntil(async () => (await pid()) > 0, { timeout: 45_000, interval: 5 });
  const postgres = await pid();
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(isAlive(postgres)).toBe(false);
});

async function start(environment: Record<string, string> = {}): Promise<RunningSite> {
  const site = await startSite({ dataDir, environment });
  running.push(site);
  return site;
}

function startRefused(environment: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["server/main.mjs"], {
    cwd: root,
    env: { ...process.env, ...testSiteSettings, DATA_DIR: dataDir, LOG_LEVEL: "warn", ...environment },
    encoding: "utf8",
    timeout: 50_000,
  });
  return { status, lines: (stdout + stderr).trim().split("\n") };
}

async function send(site: Pick<RunningSite, "url">, email: string): Promise<number> {
  const answer = await fetch(`${site.url}/rest/v1/contacts`, {
    method: "POST",
    headers: { apikey: defaultPublicKey, "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", company: "Engines", email, interest: "consulting" }),
  });
  return answer.status;
}

/** A client that sends `bytes` and reads nothing. */
async function dial(site: RunningSite, bytes: string): Promise<Socket> {
  const client = createConnection(site.port, "localhost");
  client.on("error", () => {});
  onTestFinished(() => void client.destroy());
  await once(client, "connect");
  client.write(bytes);
  return client;
}

async function storedFrom(email: string): Promise<number> {
  const db = await connect();
  const { rowCount } = await db.query("select from contacts where email = $1", [email]);
  await db.end();
  return rowCount ?? 0;
}

async function connect(): Promise<pg.Client> {
  const db = new pg.Client(await embeddedConnection(dataDir));
  // If a test fails, this connection stays open until PostgreSQL stops, and then emits an error. Without a listener,
  // that error would end the test run.
  db.on("error", () => {});
  await db.connect();
  return db;
}

async function postgresPid(): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
}

async function waitUntil(isTrue: () => Promise<boolean>) {
  const deadline = Date.now() + 45_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error("Waited for forty-five seconds in vain.");
    await pause(50);
  }
}
