import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { secretKeys } from "./secret-keys.ts";

async function newFolder() {
  const folder = await temporaryFolder();
  return folder;
}

test("the first secret makes a file that its owner alone can read, and later starts use it beside other keys", async () => {
  const dataDir = await newFolder();
  const embedded = { secretsKeys: [], databaseUrl: undefined, dataDir };
  expect(await secretKeys(embedded).ids()).toEqual([]);
  expect(await readdir(dataDir)).toEqual([]);

  const [one, other] = await Promise.all([
    secretKeys(embedded).encrypt("ONE", "1"),
    secretKeys(embedded).encrypt("OTHER", "2"),
  ]);
  expect(await readdir(dataDir)).toEqual(["secrets.key"]);
  expect((await stat(join(dataDir, "secrets.key"))).mode & 0o777).toBe(0o600);
  const later = secretKeys({ ...embedded, secretsKeys: ["a key of the setting"] });
  expect([await later.decrypt(one, "1"), await later.decrypt(other, "2")]).toEqual(["ONE", "OTHER"]);
  expect(await later.renew(one, "1")).not.toBe(one);
  // A secret that is copied into another factor.
  await expect(later.decrypt(one, "2")).rejects.toThrow();
});

test("a key file that could not be read is looked for again", async () => {
  const dataDir = await newFolder();
  await mkdir(join(dataDir, "secrets.key"));
  const keys = secretKeys({ secretsKeys: [], databaseUrl: undefined, dataDir });
  await expect(keys.encrypt("SECRET", "1")).rejects.toThrow("EISDIR");
  await rm(join(dataDir, "secrets.key"), { recursive: true });
  expect(await keys.decrypt(await keys.encrypt("SECRET", "1"), "1")).toBe("SECRET");
});

test("servers with the same password in DATABASE_URL have the same key, and no file", async () => {
  const [first, second] = await Promise.all([newFolder(), newFolder()]);
  const databaseUrl = "postgres://fernway:p%40ss@127.0.0.1/fernway";
  const stored = await secretKeys({ secretsKeys: [], databaseUrl, dataDir: first }).encrypt("SECRET", "1");
  expect(await secretKeys({ secretsKeys: [], databaseUrl, dataDir: second }).decrypt(stored, "1")).toBe("SECRET");
  // After a new password of the database's owner, the old one can be named in the setting.
  const renamed = { secretsKeys: ["p@ss"], databaseUrl: databaseUrl.replace("p%40ss", "new"), dataDir: second };
  expect(await secretKeys(renamed).decrypt(stored, "1")).toBe("SECRET");
  expect(await readdir(first)).toEqual([]);

  // A local socket needs no password, and nothing that everyone knows may take its place.
  const dataDir = join(first, "data");
  await secretKeys({ secretsKeys: [], databaseUrl: "postgres://fernway@%2Frun/fernway", dataDir }).encrypt(
    "SECRET",
    "1",
  );
  expect(await readdir(dataDir)).toEqual(["secrets.key"]);
});
