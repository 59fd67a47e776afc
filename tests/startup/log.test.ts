import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { embeddedConnection } from "#backend/database/embedded/embedded-postgres";
import { defaultPublicKey } from "#server/settings";
import { copyDataDir } from "#tests/support/data-dir";
import { withRareCases } from "#tests/support/rare-cases";
import { freePort, startSite, testSiteSettings } from "#tests/support/site";
import { startSmtp } from "#tests/support/smtp-server";
import { temporaryFolder } from "#tests/support/temporary-folder";

const root = fileURLToPath(new URL("../../", import.meta.url));

// /dev/full is a device that is always full; only Linux has it.
test.runIf(withRareCases && existsSync("/dev/full"))(
  "a server that cannot write its log still serves pages and stops normally",
  async () => {
    const dataDir = await temporaryFolder();
    await copyDataDir(inject("preparedDataDir"), dataDir);
    const port = await freePort();
    const full = openSync("/dev/full", "w");
    const server = spawn(process.execPath, ["operations/commands/start.mjs"], {
      cwd: root,
      env: { ...process.env, ...testSiteSettings, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "info" },
      stdio: ["ignore", full, full],
    });
    const ended = once(server, "exit");
    onTestFinished(async () => {
      server.kill("SIGKILL");
      await ended;
    });

    const answers = async () => (await fetch(`http://localhost:${port}/`).catch(() => undefined))?.status === 200;
    await vi.waitUntil(answers, { timeout: 45_000 });
    // Each request writes a line to the log.
    expect(await answers()).toBe(true);
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
);

/** What strangers and members write, and what the server makes for them. No line of a log may hold any of it. */
const person = {
  name: "Adelheid Zilpzalp",
  company: "Zaunkönig & Töchter",
  email: "adelheid.z@vogel.example",
  password: "wiesenpieper und rohrammer",
  userAgent: "Neuntöter/7.1 (adelheid)",
  referer: "https://suche.example/?q=haubenmeise",
  network: "203.0.113.77",
};
const owner = "besitzerin@vogel.example";

test("no log holds a name, address, password, token or code; the request id leads from a contact to its mail", async () => {
  const dataDir = await temporaryFolder();
  await copyDataDir(inject("preparedDataDir"), dataDir);
  const smtp = await startSmtp();
  smtp.behaviour.refusesMail = (raw) =>
    raw.includes("refused@") ? `<${owner}>: no mail of refused@vogel.example` : undefined;
  const site = await startSite({
    dataDir,
    environment: {
      ...{ LOG_LEVEL: "trace", TRUST_PROXY: "loopback", SMTP_URL: smtp.url, NOTIFY_TO: owner, SMTP_ALLOW_PLAIN: "on" },
      ...{
        WEBHOOK_URL: "http://127.0.0.1:1/?key=kleiber",
        WEBHOOK_SECRET: "kleiber".repeat(5),
        WEBHOOK_ALLOW_PRIVATE: "on",
      },
    },
  });
  onTestFinished(() => site.kill());
  const secrets: string[] = [...Object.values(person), owner, "refused@vogel.example", "kleiber"];
  const { name, company, email, password } = person;

  async function call(path: string, body?: unknown, token = defaultPublicKey) {
    const answer = await fetch(site.url + path, {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: {
        ...{ apikey: defaultPublicKey, authorization: `Bearer ${token}`, "x-forwarded-for": person.network },
        ...{
          "user-agent": encodeURI(person.userAgent),
          referer: person.referer,
        },
        "content-type": body instanceof URLSearchParams ? "application/x-www-form-urlencoded" : "application/json",
      },
      ...(body !== undefined && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, id: answer.headers.get("x-request-id"), json: () => JSON.parse(text) };
  }

  const contact = { name, company, email, interest: "consulting" };
  const sent = await call("/rest/v1/contacts", contact);
  expect(sent.status).toBe(201);
  expect((await call("/rest/v1/contacts", { ...contact, email: "refused@vogel.example" })).status).toBe(201);
  expect((await call("/contact", new URLSearchParams({ ...contact, email: "form@vogel.example" }))).status).toBe(303);
  for (const wrong of [{ ...contact, email: "adelheid" }, { ...contact, interest: name }, [name], name])
    expect((await call("/rest/v1/contacts", wrong)).status).toBe(400);

  // A new account, a right and wrong login, a recovery and a second factor.
  expect((await call("/auth/v1/signup", { email, password, data: { name } })).status).toBe(200);
  await expect.poll(() => smtp.received.some(({ to }) => to === email)).toBe(true);
  const raw = smtp.received.find(({ to }) => to === email)?.raw.replace(/=\r?\n/g, "") ?? "";
  const [, hash = ""] = /token_hash=(?:3D)?([\w-]{20,})/.exec(raw) ?? [];
  const [code = ""] = /(?<![\w#&=-])\d{6}(?![\w=-])/.exec(raw) ?? [];
  expect([hash, code]).not.toContain("");
  expect(
    (await call("/auth/v1/verify", { type: "signup", email, token: code === "111111" ? "222222" : "111111" })).status,
  ).toBe(403);
  expect(
    (await call(`/auth/v1/verify?type=signup&token=${hash}&redirect_to=${encodeURIComponent(`/?${email}`)}`)).status,
  ).toBe(303);
  const grant = (secret: string) => call("/auth/v1/token?grant_type=password", { email, password: secret });
  expect((await grant(`${password}.`)).status).toBe(400);
  const session = (await grant(password)).json();
  expect((await call("/auth/v1/recover", { email })).status).toBe(200);
  const factor = (
    await call("/auth/v1/factors", { factor_type: "totp", friendly_name: name }, session.access_token)
  ).json();
  const challenge = await call(`/auth/v1/factors/${factor.id}/challenge`, {}, session.access_token);
  expect(
    (
      await call(
        `/auth/v1/factors/${factor.id}/verify`,
        { challenge_id: challenge.json().id, code: "987651" },
        session.access_token,
      )
    ).status,
  ).toBe(422);
  secrets.push(hash, session.access_token, session.refresh_token, factor.totp.secret, "987651");

  // Addresses where no address belongs, values that PostgreSQL cannot read, requests that cannot be read or end early.
  for (const path of [
    `/${email}`,
    `/${encodeURIComponent(email)}`,
    `/rest/v1/contacts?email=eq.${email}`,
    `/auth/v1/user?token=${hash}`,
    `/rest/v1/%ff?${email}`,
  ])
    expect((await call(path)).status).toBeGreaterThanOrEqual(400);
  expect((await call(`/rest/v1/contacts?id=eq.${email}`, undefined, session.access_token)).status).toBe(400);
  expect((await call("/rest/v1/rpc/has_role", { _user_id: email, _role: "admin" }, session.access_token)).status).toBe(
    400,
  );
  for (const bytes of [
    `GET /${email} HTTP/9.9\r\n\r\n`,
    `POST /contact HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\nemail=${email}`,
  ])
    await sendAndLeave(site.port, bytes);

  const db = new pg.Client(await embeddedConnection(dataDir));
  db.on("error", () => {});
  await db.connect();
  await db.query("alter table auth.users add constraint broken check (email is null) not valid");
  expect((await call("/auth/v1/signup", { email: "anna@vogel.example", password })).status).toBe(500);
  await db.query(
    "set deadlock_timeout = 1; create table nests (id text primary key); insert into nests values ('anna@vogel.example')",
  );
  for (const sql of ["insert into nests values ('anna@vogel.example')", "select 'anna@vogel.example'::uuid"])
    await expect(db.query(sql)).rejects.toThrow();
  await expect(
    db.query("begin; set local statement_timeout = 1; select pg_sleep(9), 'anna@vogel.example'"),
  ).rejects.toThrow();
  await db.query("rollback");
  secrets.push("anna@vogel.example");

  const lines = () =>
    site
      .output()
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  const about = (id: string | null) => lines().filter(({ requestId }) => requestId === id);
  // The job of the webhook is tried again meanwhile, so the number of lines is not certain.
  const way = () => about(sent.id).map(({ path, task, contact, msg }) => [path ?? task, msg, typeof contact]);
  await expect.poll(way).toEqual(
    expect.arrayContaining([
      ["/rest/v1/contacts", "answered", "undefined"],
      ["announce-contact", "A job is done.", "string"],
      ["mail-contact", "A job is done.", "string"],
      ["call-webhook", "A job failed.", "string"],
    ]),
  );
  await expect
    .poll(() => lines().some(({ reason }) => reason?.includes("<(address)>: no mail of (address)")))
    .toBe(true);

  // A crash of PostgreSQL, whose log would name the statement.
  const { pid } = (await db.query("select pg_backend_pid() as pid")).rows[0];
  const crashed = db.query("select pg_sleep(9), 'anna@vogel.example'").catch(() => {});
  process.kill(pid, "SIGKILL");
  await crashed;
  await expect.poll(async () => (await fetch(`${site.url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
  await site.stop();

  const postgresLog = await readFile(join(dataDir, "postgres.log"), "utf8");
  expect(postgresLog).toContain("terminated by signal 9");
  const logs = site.output() + postgresLog;
  expect(secrets.filter((secret) => logs.includes(secret) || logs.includes(encodeURIComponent(secret)))).toEqual([]);
  expect(logs).not.toMatch(
    new RegExp(`rawPacket|\\$argon2|@vogel|vogel\\.example|Zilpzalp|(?<!\\d)${code}(?!\\d)`, "i"),
  );
  for (const line of lines().filter(({ path, err }) => path || err?.constraint))
    expect(line.requestId).toMatch(/^[0-9a-f]{16}$/);
});

async function sendAndLeave(port: number, bytes: string) {
  const client = createConnection(port, "localhost");
  client.on("error", () => {});
  await once(client, "connect");
  client.write(bytes, () => setImmediate(() => client.end()));
  client.resume();
  await once(client, "close");
}
