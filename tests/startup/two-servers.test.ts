import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "#tests/support/database";
import { type RunningSite, startSite } from "#tests/support/site";

/** Two servers on the database of one DATABASE_URL. */
const database = await createDatabase();
let dataDir: string;
const servers: RunningSite[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "two-servers-"));
  for (const ADMIN_MFA of ["required", "optional"])
    servers.push(await startSite({ dataDir, environment: { DATABASE_URL: database.url, ADMIN_MFA } }));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

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
