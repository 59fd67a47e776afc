import { chmod, chown, copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asCaller } from "#backend/database/as-caller";
import { separatePool } from "#backend/database/connections";
import { StartError } from "#process/start-error";
import { openDatabase } from "#server/database";
import { visitor } from "../support/database.ts";
import { admin } from "../support/run-command.ts";
import { silentLog } from "../support/silent-log.ts";
import { type RunningSite, startSite } from "../support/site.ts";
import { run, startOwnPostgres } from "./own-postgres.ts";

let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
let dir: string;
const file = (name: string) => join(dir, name);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "own-tls-"));
  for (const ca of ["ca", "other-ca"]) await makeCa(ca);
  await makeCertificate("server", { names: "DNS:localhost,IP:127.0.0.1" });
  await makeCertificate("elsewhere", { names: "DNS:db.example.com" });
  await makeCertificate("expired", { names: "DNS:localhost", days: -1 });
  await makeCertificate("client", { names: "DNS:client.example.com" });
  postgres = await startOwnPostgres();
  await letIn("hostssl all all 127.0.0.1/32 scram-sha-256");
  await serveCertificate("server");
});
afterAll(async () => {
  await postgres?.stop();
  await rm(dir, { recursive: true });
});

test.each([
  ["?sslmode=require"],
  ["?sslmode=verify-ca&sslrootcert=CA"],
  ["?sslmode=verify-full&sslrootcert=CA"],
  ["?sslrootcert=CA"],
])("DATABASE_URL%s encrypts the connections of both logins, of commands and of further pools", async (query) => {
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (warning: unknown) => warnings.push(warning) };
  const database = await openDatabase({ databaseUrl: address(query), dataDir: dir }, log);
  const encrypted = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
  const further = separatePool(database.owner, { max: 1 });
  for (const pool of [database.owner, database.caller, further])
    expect((await pool.query(encrypted)).rows).toEqual([{ ssl: true }]);
  await asCaller(database.caller, visitor, (db) => db.query("select"));
  await further.end();
  await database.close();
  const { code, err } = await admin("list", { environment: { DATABASE_URL: address(query) } });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const isUnverified = query.includes("require");
  expect(warnings).toEqual(isUnverified ? [expect.stringMatching(/does not check which server answers/)] : []);
});

test.each<[string, string, RegExp]>([
  ["", "server", /it wants an encrypted connection .*Add sslmode=verify-full&sslrootcert=FILE/],
  ["?sslmode=verify-full&sslrootcert=OTHER", "server", /sslmode=verify-full&sslrootcert=FILE names the file of its CA/],
  ["?sslmode=require&sslrootcert=OTHER", "server", /sslmode=verify-full&sslrootcert=FILE names the file of its CA/],
  ["?sslmode=verify-full&sslrootcert=CA", "elsewhere", /for another name/],
  ["?sslmode=verify-full&sslrootcert=CA", "expired", /has expired/],
])("DATABASE_URL%s is refused in one sentence if the certificate is `%s`", async (query, certificate, sentence) => {
  await serveCertificate(certificate);
  const opening = openDatabase({ databaseUrl: address(query), dataDir: dir }, silentLog);
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(sentence);
  await expect(opening).rejects.not.toThrow(/\n|fern(way)?['%]/);
});

test("verify-ca takes a certificate for another name", async () => {
  await serveCertificate("elsewhere");
  const databaseUrl = address("?sslmode=verify-ca&sslrootcert=CA");
  await (await openDatabase({ databaseUrl, dataDir: dir }, silentLog)).close();
});

test("the password itself is told only to a server whose certificate is checked", async () => {
  await serveCertificate("server");
  await letIn("hostssl all all 127.0.0.1/32 password");
  const open = (query: string) => openDatabase({ databaseUrl: address(query), dataDir: dir }, silentLog);
  await (await open("?sslmode=verify-full&sslrootcert=CA")).close();
  await expect(open("?sslmode=require")).rejects.toThrow(
    /^The PostgreSQL of DATABASE_URL cannot be used: it asks for the password in a form/,
  );
  await letIn("hostssl all all 127.0.0.1/32 scram-sha-256");
});

test("a PostgreSQL without TLS is refused in one sentence", async () => {
  await postgres.owner.query("alter system set ssl = off");
  await reload("off");
  const databaseUrl = address("?sslmode=require");
  await expect(openDatabase({ databaseUrl, dataDir: dir }, silentLog)).rejects.toThrow(/it offers no TLS\. Turn it on/);
});

test("a client certificate is shown, and the server starts without a warning of a library", async () => {
  await serveCertificate("server");
  await letIn("hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca");
  const query = `?sslmode=verify-full&sslrootcert=CA`;
  await expect(openDatabase({ databaseUrl: address(query), dataDir: dir }, silentLog)).rejects.toThrow(
    /^The PostgreSQL of DATABASE_URL cannot be used: .*certificate/,
  );
  const withCertificate = `${query}&sslcert=${file("client.crt")}&sslkey=${file("client.key")}`;
  let server: RunningSite | undefined;
  try {
    server = await startSite({ dataDir: dir, environment: { DATABASE_URL: address(withCertificate) } });
    const form = new URLSearchParams({
      name: "Ada",
      email: "ada@example.com",
      interest: "consulting",
      company: "Engines",
    });
    const sent = await fetch(`${server.url}/contact`, { method: "POST", body: form, redirect: "manual" });
    expect(sent.status).toBe(303);
    expect(server.output()).not.toMatch(/warning|sslmode/i);
  } finally {
    await server?.stop();
  }
});

const address = (query: string) => {
  const names = { CA: "ca.crt", OTHER: "other-ca.crt" };
  const files = query.replace(/=(CA|OTHER)\b/g, (_, name: keyof typeof names) => `=${file(names[name])}`);
  return postgres.url({ host: "localhost", query: files });
};

async function serveCertificate(name: string) {
  for (const suffix of ["crt", "key"]) {
    const target = join(postgres.data, `server.${suffix}`);
    await copyFile(file(`${name}.${suffix}`), target);
    await chmod(target, 0o600);
    await chown(target, postgres.systemUser.uid, postgres.systemUser.gid);
  }
  await copyFile(file("ca.crt"), join(postgres.data, "ca.crt"));
  await chown(join(postgres.data, "ca.crt"), postgres.systemUser.uid, postgres.systemUser.gid);
  await postgres.owner.query("alter system set ssl_ca_file = 'ca.crt'");
  await postgres.owner.query("alter system set ssl = on");
  await reload("on");
}

/** The rules of `pg_hba.conf` for the site's logins. The superuser of the test is let in as before. */
async function letIn(rule: string) {
  const rules = join(postgres.data, "pg_hba.conf");
  await writeFile(rules, `host all postgres 127.0.0.1/32 scram-sha-256\n${rule}\n`);
  await reload();
}

/** Resolves once PostgreSQL has read its settings anew. */
async function reload(ssl?: "on" | "off") {
  const { rows } = await postgres.owner.query("select pg_conf_load_time() as before, pg_reload_conf()");
  const isLoaded = "select from pg_settings where name = 'ssl' and setting = $1 and pg_conf_load_time() > $2";
  const setting = ssl ?? (await postgres.owner.query("show ssl")).rows[0].ssl;
  while (!(await postgres.owner.query(isLoaded, [setting, rows[0].before])).rowCount);
}

async function makeCa(name: string) {
  const subject = ["-subj", `/CN=${name}`, "-days", "2", "-nodes"];
  const files = ["-keyout", file(`${name}.key`), "-out", file(`${name}.crt`)];
  await run("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", ...subject, ...files]);
}

/** A certificate of the CA `ca`; with negative `days`, one that has expired. */
async function makeCertificate(name: string, { names, days = 2 }: { names: string; days?: number }) {
  const files = ["-keyout", file(`${name}.key`), "-out", file(`${name}.csr`)];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  await run("openssl", ["req", ...key, "-subj", `/CN=${name}`, ...files]);
  await writeFile(file("extensions"), `subjectAltName=${names}\n`);
  const signed = ["-CA", file("ca.crt"), "-CAkey", file("ca.key"), "-CAcreateserial", "-days", String(days)];
  const to = ["-extfile", file("extensions"), "-in", file(`${name}.csr`), "-out", file(`${name}.crt`)];
  await run("openssl", ["x509", "-req", ...signed, ...to]);
  expect(await readFile(file(`${name}.crt`), "utf8")).toContain("BEGIN CERTIFICATE");
}
