import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { publicKey, startDataApi } from "#tests/support/data-api";
import { createDatabase } from "#tests/support/database";
import { withRareCases } from "#tests/support/rare-cases";
import { startSite } from "#tests/support/site";
import { temporaryFolder } from "#tests/support/temporary-folder";

/** The hosted project: this product's data API on a database of its own. */
const database = await createDatabase();
const project = await startDataApi({ caller: database.caller });

let dataDir: string;
beforeEach(async () => {
  dataDir = join(await temporaryFolder(), "data");
});

/** Starts the server without pages, because a build for this project would take ten seconds. */
const start = (environment: Record<string, string> = {}) =>
  startSite({
    dataDir,
    args: ["--without-pages"],
    environment: { PUBLIC_SUPABASE_URL: project.url, ...environment },
  });

test("with a hosted project, the server forwards contacts and starts no PostgreSQL", async () => {
  const site = await start({ NOTIFY_TO: "owner@example.com" });
  onTestFinished(() => site.kill());
  const contact = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };
  const answer = await fetch(`${site.url}/contact`, {
    method: "POST",
    body: new URLSearchParams(contact),
    redirect: "manual",
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/thanks"]);
  const { rows } = await database.owner.query("select name, company, email, interest from contacts");
  expect(rows).toEqual([contact]);

  const insert = { method: "POST", headers: { apikey: publicKey, "content-type": "application/json" }, body: "{}" };
  for (const path of ["/rest/v1/contacts", "/auth/v1/signup"])
    expect((await fetch(site.url + path, insert)).status).toBe(404);
  expect(site.output()).toContain(`Contacts go to the project at ${project.url}.`);
  expect(site.output()).toMatch(/no effect: DATA_DIR, NOTIFY_TO\./);
  expect(site.output()).not.toContain("ada@example.com");
  expect(await site.stop()).toBe(0);
  expect(existsSync(dataDir)).toBe(false);
});

test.runIf(withRareCases)(
  "with a hosted project, the start message names the database that an earlier start has left",
  async () => {
    await mkdir(join(dataDir, "postgres"), { recursive: true });
    const site = await start();
    expect(site.output()).toContain(`Earlier contacts are still in ${dataDir}`);
    expect(await site.stop()).toBe(0);
  },
);

test("a server with both DATABASE_URL and PUBLIC_SUPABASE_URL ends with one sentence", async () => {
  await expect(start({ DATABASE_URL: database.url })).rejects.toThrow(
    /DATABASE_URL and PUBLIC_SUPABASE_URL are both set.*\n$/,
  );
});
