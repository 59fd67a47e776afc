import type { ClientBase } from "pg";
import { expect, test } from "vitest";
import { readFacts } from "./database-facts.ts";

/** A connection as pg has it after it connected. Tests have no PostgreSQL on another machine. */
const connected = (host: string, ssl: unknown, encrypted: boolean) =>
  ({ host, ssl, connection: { stream: { encrypted } }, query: async () => ({ rows: [{}] }) }) as unknown as ClientBase;

test.each([
  ["/run/postgresql", undefined, false, "local"],
  ["127.0.0.1", undefined, false, "local"],
  ["db.heron.com", false, false, "none"],
  ["db.heron.com", { rejectUnauthorized: false }, true, "unchecked"],
  ["db.heron.com", {}, true, "checked"],
  ["db.heron.com", true, true, "checked"],
])("the connection to %s with ssl %j, encrypted: %j, is %s", async (host, ssl, encrypted, encryption) => {
  expect(await readFacts(connected(host, ssl, encrypted), "authenticator")).toMatchObject({ host, encryption });
});
