import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { lastBuildFolder } from "#server/static-site/assets";
import { validDays } from "#site/metadata/contact-files.ts";
import { withRareCases } from "../support/rare-cases.ts";
import { testSiteSettings } from "../support/site.ts";

const run = promisify(execFile);
const daySeconds = 24 * 60 * 60;
/** What a build reads. `public` is missing while it is empty. */
const sources = [
  "astro.config.ts",
  "content",
  "package.json",
  "package-lock.json",
  "public",
  "process",
  "backend",
  "server",
  "operations",
  "site",
].concat(["tsconfig.json", "validation"]);
/** Sets the clock of a process 300 days ahead. */
const later = `
  const Now = Date;
  const ahead = ${300 * daySeconds * 1000};
  globalThis.Date = class extends Now {
    constructor(...args) { super(...(args.length ? args : [Now.now() + ahead])); }
    static now() { return Now.now() + ahead; }
  };
`;

test.runIf(withRareCases)(
  "a build in another folder, time zone, language and year, beside a `.env`, has the same bytes",
  async () => {
    const first = resolve(testSiteSettings.BUILD_DIR);
    const checkout = await copyOfSources();
    // Beside the project, with a name that begins like its own.
    const pages = `${checkout}-pages`;
    onTestFinished(() => rm(pages, { recursive: true, force: true }));
    // With ENV_FILE empty, nothing may read this file: neither the settings nor Vite.
    await writeFile(
      join(checkout, ".env"),
      "PUBLIC_SUPABASE_URL=https://stray.example\nSITE_URL=https://stray.example\n",
    );
    await run(process.execPath, ["operations/commands/build.ts"], {
      cwd: checkout,
      env: {
        ...process.env,
        ...testSiteSettings,
        BUILD_DIR: join(pages, "build"),
        TZ: "Pacific/Auckland",
        LC_ALL: "tr_TR.UTF-8",
        NODE_ENV: "development",
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(later)}`,
        SOURCE_DATE_EPOCH: String(await dateOfBuild(first)),
      },
    });
    expect(await hashesIn(join(pages, "build"))).toEqual(await hashesIn(first));
  },
);

test("a command reads `.env` in the project's folder, wherever it is called from; a variable of the shell wins", async () => {
  const checkout = await copyOfSources();
  await writeFile(join(checkout, ".env"), "DATABASE_URL=postgres://site:secret@file.example/site\nPORT=none\n");
  const { ENV_FILE: _, DATABASE_URL: __, ...shell } = process.env;
  const command = [join(checkout, "operations/commands/run.ts"), "admin", "database-setup"];
  const { stdout } = await run(process.execPath, command, { cwd: tmpdir(), env: { ...shell, PORT: "4000" } });
  expect(stdout).toContain("Prepares the PostgreSQL at file.example:5432");

  const failed = await run(process.execPath, command, { cwd: tmpdir(), env: shell }).catch((error) => error);
  expect(failed).toMatchObject({ code: 1, stderr: "These settings cannot be used:\n  PORT: must be a port number\n" });
});

/** A copy has its own absolute path and none of the files that earlier builds have cached. */
async function copyOfSources(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "checkout of sources-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const source of sources) {
    await cp(source, join(folder, source), { recursive: true }).catch((error) => {
      if (source !== "public" || error.code !== "ENOENT") throw error;
    });
  }
  await symlink(resolve("node_modules"), join(folder, "node_modules"), "junction");
  return folder;
}

/** The day of a build, in seconds, from the one file that depends on it. */
async function dateOfBuild(folder: string): Promise<number> {
  const text = await readFile(join(folder, ".well-known/security.txt"), "utf8");
  return Date.parse(text.match(/^Expires: (\S+)$/m)?.[1] ?? "") / 1000 - validDays * daySeconds;
}

async function hashesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(lastBuildFolder))
    .map((entry) => join(entry.parentPath, entry.name));
  const hashes = files.sort().map(async (file) => {
    const hash = createHash("sha256").update(await readFile(file));
    return [relative(folder, file), hash.digest("hex")] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}
