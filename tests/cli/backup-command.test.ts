import { spawnSync } from "node:child_process";
import { readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";
import { openBackup } from "#operations/backup/read-backup";
import { writeBackup } from "#operations/backup/write-backup";
import { runBackup } from "#operations/commands/backup/run-backup";
import { runRestore } from "#operations/commands/backup/run-restore";
import { StartError } from "#process/start-error";
import { at, createBackupFixture, run } from "#tests/support/backup-fixture";
import { createDatabase, createEmptyDatabase, visitor } from "#tests/support/database";

const { server, folder, file, original, tablesOf } = await createBackupFixture();

/** All that a restore would read. */
async function contentOf(path: string) {
  const backup = await openBackup(path);
  try {
    const texts: string[] = [];
    for (const table of backup.manifest.tables) texts.push(await text(await backup.read(table)));
    return { manifest: backup.manifest, texts };
  } finally {
    backup.close();
  }
}

test("a backup holds one moment, even while contacts are stored", async () => {
  const { owner, as } = await createDatabase();
  let isOver = false;
  let sent = 0;
  const sending = (async () => {
    for (; !isOver; sent++) {
      await as(visitor, (db) =>
        db.query(`insert into contacts (name, email, interest) values ('N', '${sent}@example.com', 'consulting')`),
      );
    }
  })();
  while (sent < 5) await new Promise(setImmediate);
  const tables = await tablesOf({ owner });
  isOver = true;
  await sending;
  // A contact and its job are stored together. The jobs are copied first.
  const rowsOf = (table: string) => tables.find(({ name }) => name === table)?.rows ?? 0;
  expect(rowsOf("public.contacts")).toBe(rowsOf("private.jobs"));
  expect(rowsOf("public.contacts")).toBeGreaterThanOrEqual(5);
  expect(sent).toBeGreaterThan(rowsOf("public.contacts"));
});

test("a backup that cannot be read back fails and is removed", async () => {
  const path = join(folder, "unreadable.zip");
  const damage = async (doing: string) => {
    if (!doing.startsWith("Reading")) return;
    const [unfinished = ""] = (await readdir(folder)).filter((name) => name.startsWith("unreadable.zip.unfinished"));
    const written = join(folder, unfinished);
    const bytes = await readFile(written);
    await writeFile(written, bytes.fill(0, bytes.length / 10, bytes.length / 2));
  };
  const writing = writeBackup(server.database.owner, path, { progress: damage });
  await expect(writing).rejects.toThrow(/^The backup could not be read back, so nothing of it is kept: [^\n]+\.$/);
  expect((await readdir(folder)).filter((name) => name.startsWith("unreadable"))).toEqual([]);
});

test("a backup removes what one that was killed has left beside it", async () => {
  const left = "backup-2020-02-02T02-02-02Z.zip.unfinished-1";
  await writeFile(join(folder, left), "");
  await utimes(join(folder, left), 0, 0);
  await tablesOf(server.database);
  expect(await readdir(folder)).not.toContain(left);
});

test("a migration during a backup makes it fail, because the migration may have emptied a table before it was read", async () => {
  const { owner } = await createDatabase();
  await owner.query("insert into contacts (name, email, interest) values ('N', 'n@example.com', 'consulting')");
  let migrated: Promise<unknown> | undefined;
  const progress = () => {
    migrated ??= owner.query(
      `alter table contacts add extra uuid default gen_random_uuid();
       insert into supabase_migrations.schema_migrations (version) values ('29990101000000')`,
    );
    return migrated;
  };
  const path = join(folder, "migrated.zip");
  await expect(writeBackup(owner, path, { progress })).rejects.toThrow(/^The database was migrated during the backup/);
  expect(await readdir(folder)).not.toContain("migrated.zip");
});

test("a file that is torn, changed or something else is refused", async () => {
  const bytes = await readFile(file);
  const broken = join(folder, "broken.zip");
  const read = async (content: Uint8Array) => {
    await writeFile(broken, content);
    return contentOf(broken).catch((error: unknown) => error);
  };
  const whole = await contentOf(file);
  for (const length of [0, 1, 100, bytes.length / 2, bytes.length - 30, bytes.length - 1]) {
    expect(await read(bytes.subarray(0, length))).toBeInstanceOf(StartError);
  }
  let refused = 0;
  for (let position = 0; position < bytes.length; position += 211) {
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ (1 << (position % 8));
    const result = await read(changed);
    if (result instanceof StartError) refused += 1;
    // The time and the permissions of a ZIP entry do not affect the rows.
    else expect(result).toEqual(whole);
  }
  expect(refused).toBeGreaterThan(20);

  // Nor can another user of the machine read it.
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const check = await run(runBackup, ["--check", file]);
  expect(check).toMatchObject({ code: 0, out: expect.stringContaining("is complete") });
  await writeFile(broken, "Not a ZIP at all");
  for (const [command, args] of [
    [runBackup, ["--check", broken]],
    [runRestore, [broken]],
  ] as const) {
    const { err } = await run(command, args, { DATA_DIR: join(folder, "data") });
    expect(err).toMatch(/^\S+broken\.zip is not a complete backup: [^\n]*[^.\n]\. Use another one\.$/);
  }
  expect(await readdir(folder)).not.toContain("data");
  // Reading a named pipe would never end, and a device is no file either.
  expect((await run(runBackup, ["--check", "/dev/null"])).err).toBe("/dev/null is not a file.");
});

async function fileWith(manifest: object): Promise<string> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), "manifest.json");
  zip.end();
  const path = join(folder, "foreign.zip");
  await writeFile(path, zip.outputStream);
  return path;
}

test("a file of another format is refused in one sentence", async () => {
  const { err } = await run(runBackup, ["--check", await fileWith({ ...original, version: 1 })]);
  expect(err).toBe("The backup has format 1, and this code reads format 2: use the code that wrote it.");
});

test("what a foreign file says of itself reaches the terminal without its control characters", async () => {
  const foreign = await fileWith({ ...original, tables: [], postgres: "18\u009b2J\u202e" });
  const { stdout } = spawnSync(process.execPath, ["operations/commands/run.ts", "backup", "--check", foreign], {
    encoding: "utf8",
  });
  expect(stdout).toMatch(/ is complete: .* in PostgreSQL 18\\u009b2J\\u202e\.\n$/);
});

test("what stands in the way is told in a sentence, and no file is left", async () => {
  const before = await readdir(folder);
  const sentence = async (args: string[], environment = at(server.database)) =>
    (await run(runBackup, args, environment)).err;
  expect(await sentence([file])).toBe(`${file} already exists, and nothing is overwritten.`);
  expect(await sentence([join(folder, "none", "site.zip")])).toMatch(
    /^No backup can be written into .*none: it does not exist\.$/,
  );
  expect(await sentence([join(folder, "new.zip")], { DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" })).toMatch(
    /^The PostgreSQL of DATABASE_URL cannot be used: [^\n]+$/,
  );
  const empty = await createEmptyDatabase();
  expect(await sentence([join(folder, "new.zip")], at(empty))).toMatch(/^There is no site database in [^\n]+$/);
  const appearing = join(folder, "appearing.zip");
  const late = writeBackup(server.database.owner, appearing, { progress: () => writeFile(appearing, "another's") });
  await expect(late).rejects.toThrow("already exists");
  expect(await readFile(appearing, "utf8")).toBe("another's");
  await rm(appearing);
  const stop = new AbortController();
  const abandoned = writeBackup(server.database.owner, join(folder, "new.zip"), {
    signal: stop.signal,
    progress: () => stop.abort(),
  });
  await expect(abandoned).rejects.toThrow("abort");
  expect(await readdir(folder)).toEqual(before);
});
