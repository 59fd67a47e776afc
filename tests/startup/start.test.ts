import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { createConnection, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { beforeEach, expect, inject, onTestFinished, test, vi } from "vitest";
import { embeddedConnection } from "#backend/database/embedded/embedded-postgres";
import { openDatabase } from "#server/database";
import { defaultPublicKey } from "#server/settings";
import { copyDataDir } from "#tests/support/data-dir";
import { createDatabase } from "#tests/support/database";
import { onFinished } from "#tests/support/on-finished";
import { silentLog } from "#tests/support/silent-log";
import { freePort, type RunningSite, startSite, testSiteSettings } from "#tests/support/site";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { endLeftoverProcesses, isAlive } from "../../scripts/leftover-processes.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
let dataDir: string;
beforeEach(async () => {
  dataDir = await temporaryFolder();
  await copyDataDir(inject("preparedDataDir"), dataDir);
  // A killed server leaves its PostgreSQL running.
  onFinished(() => endLeftoverProcesses(dataDir));
});

test("a contact answered with status 201 survives SIGKILL of the server and PostgreSQL", async () => {
  const site = await start();
  expect(await send(site, "stored@example.com")).toBe(201);
  process.kill(await postgresPid(), "SIGKILL");
  await site.kill();

  const { owner, close } = await openDatabase({ dataDir }, silentLog);
  const { rows } = await owner.query("select email from contacts");
  await close();
  expect(rows).toEqual([{ email: "stored@example.com" }]);
});

test("a server that starts before its PostgreSQL serves pages, answers 503, and then everything", async () => {
  const database = await createDatabase();
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
  const started = await starting;
  onFinished(started.stop);
  expect(await send(site, "late@example.com")).toBe(201);
  expect((await fetch(`${site.url}/auth/v1/.well-known/jwks.json`)).status).toBe(200);
  expect(started.output()).toMatch(/cannot be used: .*ECONNREFUSED.*Waiting for it[\s\S]*continuing to start/);
});

test("a stopping server answers pending requests, drops slow clients, writes visits and ends PostgreSQL", async () => {
  const site = await start();
  const visit = {
    "sec-fetch-dest": "document",
    "sec-fetch-mode": "navigate",
    "sec-fetch-site": "cross-site",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    referer: "https://news.example/",
  };
  // A browser sends what `fetch` may not.
  for (const path of ["/?ref=card", "/auth", "/no/such/path", "/favicon.svg"])
    await new Promise((done) => get(site.url + path, { headers: visit }, (answer) => answer.resume().on("end", done)));
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

  const { owner, close } = await openDatabase({ dataDir }, silentLog);
  const { rows } = await owner.query("select first_page, referrer, campaign, visits from private.visits");
  await close();
  expect(rows).toEqual([{ first_page: "/", referrer: "news.example", campaign: "card", visits: 1 }]);
});

test("a server stopped during its start leaves no PostgreSQL running", async () => {
  const child = spawn(process.execPath, ["operations/commands/start.mjs"], {
    cwd: root,
    env: { ...process.env, ...testSiteSettings, DATA_DIR: dataDir, PORT: String(await freePort()) },
    stdio: "ignore",
  });
  onFinished(() => child.kill("SIGKILL"));
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
  onFinished(site.stop);
  return site;
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
