import { describe, expect, inject, test } from "vitest";
import { findAdmins } from "#backend/auth/admin-roles";
import { connect } from "#backend/database/connections";
import { findPackage, prepareBinaries } from "#backend/database/embedded/binaries";
import { openCluster } from "#backend/database/embedded/cluster";
import { embeddedConnection } from "#backend/database/embedded/embedded-postgres";
import { ensureRunning } from "#backend/database/embedded/postgres-process";
import { openDatabase } from "#server/database";
import { copyDataDir } from "#tests/support/data-dir";
import { admin } from "#tests/support/run-command";
import { silentLog } from "#tests/support/silent-log";
import { temporaryFolder } from "#tests/support/temporary-folder";

// The later tests find what the first one stored.
describe("on the embedded database", { shuffle: false }, async () => {
  const dataDir = await temporaryFolder();
  await copyDataDir(inject("preparedDataDir"), dataDir);
  const environment = { DATA_DIR: dataDir };

  test("`npm run admin` names its database, works while no server runs, says so, and leaves no PostgreSQL running", async () => {
    const notes: string[] = [];
    const call = { environment, input: "owl feathers", printNote: (text: string) => notes.push(text) };
    expect(await admin("create boss@example.com --admin --password-stdin", call)).toEqual({
      code: 0,
      out: "boss@example.com can log in and read the contacts once the site runs: npm start.",
      err: "",
    });
    expect(notes).toEqual([`Database: the embedded PostgreSQL in ${dataDir}`]);
    expect((await admin("invite guest@example.com", { environment })).out).toBe(
      "guest@example.com is invited. The email is sent once the site runs: npm start.",
    );
    await expect(embeddedConnection(dataDir)).rejects.toThrow("No PostgreSQL is running");
  });

  test("`npm run admin` works next to a running server and does not stop the server's PostgreSQL", async () => {
    const running = await openDatabase({ dataDir }, silentLog);
    expect(await admin("list", { environment })).toEqual({ code: 0, out: "boss@example.com", err: "" });
    expect((await admin("revoke boss@example.com", { environment })).code).toBe(0);
    expect((await admin("create clerk@example.com --password-stdin", { environment, input: "owl feathers" })).out).toBe(
      "clerk@example.com can log in now.",
    );
    expect((await admin("rotate-keys", { environment })).out).toMatch(/^New tokens are signed with the key /);
    expect(await findAdmins(running.owner)).toEqual([]);
    const second = connect(await embeddedConnection(dataDir), silentLog);
    expect(await findAdmins(second.owner)).toEqual([]);
    await second.close();
    await running.close();
  });

  test("while a command works, another one and a server are refused, and do not use its PostgreSQL", async () => {
    const other = await openDatabase({ dataDir }, silentLog, { as: "command" });
    const refused = `A command is working on ${dataDir}: try again when it has ended.`;
    expect(await admin("list", { environment })).toEqual({ code: 1, out: "", err: refused });
    await expect(openDatabase({ dataDir }, silentLog)).rejects.toThrow(refused);
    await other.owner.query("select");
    await other.close();
    expect((await admin("list", { environment })).code).toBe(0);
  });

  test("a PostgreSQL that outlived its killed server is used, and does not count as a running site", async () => {
    const binaries = await prepareBinaries(dataDir, findPackage());
    await ensureRunning(await openCluster(dataDir, binaries), binaries);
    expect((await admin("create night@example.com --password-stdin", { environment, input: "owl feathers" })).out).toBe(
      "night@example.com can log in once the site runs: npm start.",
    );
    await expect(embeddedConnection(dataDir)).rejects.toThrow("No PostgreSQL is running");
  });
});
