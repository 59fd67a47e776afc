import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { explainFileError } from "#server/start-error";
import { compressFolder } from "./compress.ts";

/** Settings that are compiled into the pages. */
export interface BuildSettings {
  siteUrl: string;
  publicUrl: string | undefined;
  publicKey: string;
  /** The folder of the built site, as an absolute path. */
  buildDir: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const sources = ["astro.config.ts", "content", "package-lock.json", "public", "site", "tsconfig.json", "validation"];
const fingerprintFile = ".fingerprint";

/**
 * Builds the site unless the last build had the same sources, settings and packages; returns whether it built. Two
 * servers may start at once: each builds in a folder of its own and renames it at the end, so no half build is served.
 */
export async function ensureBuilt(settings: BuildSettings, onBuild: () => void): Promise<boolean> {
  const { buildDir } = settings;
  const fingerprint = await fingerprintOf(settings);
  if (await hasFingerprint(buildDir, fingerprint)) return false;

  onBuild();
  const folder = await makeFolderBeside(buildDir).catch((error: unknown) => {
    throw explainFileError(`The site cannot be built in ${buildDir} (BUILD_DIR)`, error);
  });
  try {
    await runAstro({ ...settings, buildDir: folder });
    await compressFolder(folder);
    await writeFile(join(folder, fingerprintFile), fingerprint);
    if (!(await hasFingerprint(buildDir, fingerprint))) await replace(buildDir, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return true;
}

/** Whether the last build had the same sources, settings and packages. */
export async function isBuilt(settings: BuildSettings): Promise<boolean> {
  return hasFingerprint(settings.buildDir, await fingerprintOf(settings));
}

async function hasFingerprint(buildDir: string, fingerprint: string): Promise<boolean> {
  return (await readFile(join(buildDir, fingerprintFile), "utf8").catch(() => "")) === fingerprint;
}

async function makeFolderBeside(folder: string): Promise<string> {
  await mkdir(dirname(folder), { recursive: true });
  return mkdtemp(`${folder}-`);
}

async function replace(old: string, fresh: string) {
  const aside = `${fresh}.old`;
  await rename(old, aside).catch(() => {});
  await rename(fresh, old);
  await rm(aside, { recursive: true, force: true });
}

async function fingerprintOf({ siteUrl, publicUrl, publicKey }: BuildSettings): Promise<string> {
  const hash = createHash("sha256");
  hash.update(JSON.stringify({ siteUrl, publicUrl, publicKey, runtime: process.version }));
  for (const file of (await Promise.all(sources.map(filesIn))).flat().sort()) {
    hash
      .update(file)
      .update("\0")
      .update(await readFile(join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

async function filesIn(source: string): Promise<string[]> {
  const entries = await readdir(join(root, source), { withFileTypes: true }).catch((error) => {
    if (error.code === "ENOTDIR") return undefined;
    // If `public` is empty, it may be missing, because Git does not store empty folders.
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (!entries) return [source];
  const nested = entries.map((entry) => {
    const path = `${source}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : [path];
  });
  return (await Promise.all(nested)).flat();
}

function runAstro({ siteUrl, publicUrl, publicKey, buildDir }: BuildSettings): Promise<void> {
  const require = createRequire(import.meta.url);
  const packageFile = require.resolve("astro/package.json");
  const astro = join(dirname(packageFile), require(packageFile).bin.astro);

  const child = spawn(process.execPath, [astro, "build", "--outDir", buildDir], {
    cwd: root,
    env: {
      ...process.env,
      ASTRO_TELEMETRY_DISABLED: "1",
      // Any other value, left over in a shell, would put the development build of React into the pages.
      NODE_ENV: "production",
      SITE_URL: siteUrl,
      PUBLIC_SUPABASE_ANON_KEY: publicKey,
      ...(publicUrl !== undefined && { PUBLIC_SUPABASE_URL: publicUrl }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));

  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) return resolve();
      reject(new Error(`The site could not be built.\n${Buffer.concat(output)}`));
    });
  });
}
