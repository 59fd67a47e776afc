import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { StartError } from "#process/start-error";
import { silentLog } from "#tests/support/silent-log";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { connect } from "./connections.ts";
import { describeConnectionError, parseDatabaseUrl } from "./database-url.ts";

const address = "postgres://owner:p%40ss@db.example:6432/site";
const ca = join(await temporaryFolder(), "ca.pem");
await writeFile(ca, "a CA");

test.each<[string, unknown]>([
  ["", undefined],
  ["?sslmode=disable", false],
  ["?sslmode=require", { rejectUnauthorized: false }],
  ["?sslmode=require&sslrootcert=CA", { ca: "a CA", checkServerIdentity: expect.any(Function) }],
  ["?sslmode=prefer&sslrootcert=CA", { ca: "a CA", checkServerIdentity: expect.any(Function) }],
  ["?sslmode=verify-ca&sslrootcert=CA", { ca: "a CA", checkServerIdentity: expect.any(Function) }],
  ["?sslmode=verify-full&sslrootcert=CA", { ca: "a CA" }],
  ["?sslrootcert=CA&sslcert=CA&sslkey=CA", { ca: "a CA", cert: "a CA" }],
  ["?sslmode=verify-full", {}],
  ["?sslrootcert=system", {}],
  ["?sslmode=require&sslrootcert=system", {}],
])("DATABASE_URL%s means what it means for psql, without a warning of a library", (query, ssl) => {
  const warnings = vi.spyOn(process, "emitWarning");
  const { host, port, user, password, database, ...rest } = new Client(
    parseDatabaseUrl(address + query.replaceAll("CA", encodeURIComponent(ca))),
  );
  expect({ host, port, user, password, database }).toEqual({
    ...{ host: "db.example", port: 6432, user: "owner", password: "p@ss", database: "site" },
  });
  expect(rest.ssl).toEqual(ssl ?? false);
  expect(warnings).not.toHaveBeenCalled();
  warnings.mockRestore();
});

test.each([
  ["?sslmode=verify-ca", /must name the file of the CA: sslrootcert=FILE\.$/],
  ["?sslmode=alow", /^The sslmode in DATABASE_URL must be disable, require, verify-ca or verify-full\.$/],
  [
    "?sslmode=verify-full&sslrootcert=/none.pem",
    /^DATABASE_URL cannot be used: \/none\.pem cannot be read \(ENOENT\)\.$/,
  ],
])("DATABASE_URL%s is refused in one sentence", (query, sentence) => {
  expect(() => connect(address + query, silentLog)).toThrow(StartError);
  expect(() => connect(address + query, silentLog)).toThrow(sentence);
});

test.each(["postgres://owner:se/cret@db.example/site", "postgres://owner:secret%ZZ@db.example:port/site"])(
  "an address that cannot be read is refused without its password",
  (url) => {
    expect(() => connect(url, silentLog)).toThrow(/^DATABASE_URL cannot be used: write it as postgres:(?!.*cret@)/);
  },
);

test("an unknown error of a connection is told in its own words", () => {
  expect(describeConnectionError(Object.assign(new Error(""), { code: "EODD" }))).toBe("EODD");
});
