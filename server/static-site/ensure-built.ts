import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, cp, glob, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeFolder } from "#process/make-folder";
import { print } from "#process/print";
import { describeFileError, explainFileError, StartError } from "#process/start-error";
import { lastBuildFolder } from "./assets.ts";
import { explainBuildOutput } from "./explain-build-output.ts";

/** Settings that are compiled into the pages. */
export interface BuildSettings {
  siteUrl: string;
  publicUrl: string | undefined;
  publicKey: string;
  /** The folder of the built site, as an absolute path. */
  buildDir: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const sourceFiles = ["astro.config.ts", "package-lock.json", "tsconfig.json"];
const sourceFolders = ["content", "public", "site", "validation"];
const fingerprintFile = ".fingerprint";
const run = promisify(execFile);

/**
 * Builds the site unless the last build had the same sources, settings and packages; returns whether it built. Two
 * servers may start at once: each builds in a folder of its own and renames it at the end, so no half build is served.
 * Nothing stays of a build that `stop` ends.
 */
export async function ensureBuilt(settings: BuildSettings, onBuild: () => void, stop?: AbortSignal): Promise<boolean> {
  const { buildDir } = settings;
  const fingerprint = await fingerprintOf(settings);
  if (await hasFingerprint(buildDir, fingerprint)) return false;

  const astro = await requireAstro(settings);
  onBuild();
  const progress = setInterval(() => print("Still building."), 10_000);
  try {
    await refuseOtherFiles(buildDir);
    await build(settings, fingerprint, astro, stop);
  } catch (error) {
    throw explainFileError(`The site cannot be built in ${buildDir} (BUILD_DIR)`, error);
  } finally {
    clearInterval(progress);
  }
  return true;
}

/** A build replaces the folder, so what the folder holds must be an older build. */
async function refuseOtherFiles(buildDir: string) {
  const names = await readdir(buildDir).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (names.length === 0 || names.includes(fingerprintFile)) return;
  throw new StartError(
    `${buildDir} (BUILD_DIR) holds files that no build of this site made, and a build would remove them. Set BUILD_DIR to another folder, or empty this one.`,
  );
}

/**
 * Finds the program that builds. A container lacks its packages, and a server often may not write into the folder of
 * the site, where Astro has its cache: build such a site beforehand, with the settings that the server will have.
 */
async function requireAstro({ siteUrl, buildDir }: BuildSettings): Promise<string> {
  const require = createRequire(import.meta.url);
  try {
    await access(root, constants.W_OK);
    const packageFile = require.resolve("astro/package.json");
    return join(dirname(packageFile), require(packageFile).bin.astro);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND";
    const reason = isMissing ? "the packages that build it are not installed" : describeFileError(error);
    if (reason === undefined) throw error;
    const [, builtFor = ""] = (await readFingerprint(buildDir)).split("\n");
    const problem =
      builtFor && builtFor !== siteUrl ? `was built for ${builtFor}, not for ${siteUrl},` : "must be built";
    throw new StartError(
      `The site ${problem} and cannot be built in ${root}: ${reason}. Build it where that is possible, with this server's SITE_URL, PUBLIC_SUPABASE_URL and PUBLIC_SUPABASE_ANON_KEY: npm run build`,
      error,
    );
  }
}

async function build(settings: BuildSettings, fingerprint: string, astro: string, stop: AbortSignal | undefined) {
  const { buildDir } = settings;
  const folder = `${buildDir}-unfinished-${randomUUID()}`;
  await makeFolder(folder);
  await removeUnfinished(buildDir);
  // Astro looks for its packages from the folder that it builds in.
  const ofProject = join(root, ".cache", `build-${basename(folder)}`);
  try {
    await runAstro(astro, { ...settings, buildDir: ofProject }, stop);
    await cp(ofProject, folder, { recursive: true });
    await keepLastScripts(buildDir, folder);
    stop?.throwIfAborted();
    await writeFile(join(folder, fingerprintFile), fingerprint);
    if (!(await hasFingerprint(buildDir, fingerprint))) await replace(buildDir, folder);
  } finally {
    for (const made of [folder, ofProject]) await rm(made, { recursive: true, force: true });
  }
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Keeps the scripts that a build replaces for a day: pages that are open in a browser load them on demand. */
export async function keepLastScripts(last: string, fresh: string) {
  for (const folder of [join(last, lastBuildFolder), last])
    for await (const name of glob("_astro/*.js*", { cwd: folder })) {
      const file = join(folder, name);
      // The time of a kept file is that of its replacement.
      const isKept = folder !== last;
      if (existsSync(join(fresh, name)) || (isKept && Date.now() - (await stat(file)).mtimeMs > dayMilliseconds))
        continue;
      await cp(file, join(fresh, lastBuildFolder, name), { preserveTimestamps: isKept });
    }
}

/** Removes what killed builds have left. No build takes an hour, so none that runs loses its folder. */
async function removeUnfinished(buildDir: string) {
  for await (const left of glob([`${buildDir}-unfinished-*`, join(root, ".cache", "build-*-unfinished-*")])) {
    const found = await stat(left).catch(() => undefined);
    if (!found || Date.now() - found.mtimeMs < 60 * 60 * 1000) continue;
    // What another user's build has left may stay: it costs only space.
    await rm(left, { recursive: true, force: true }).catch(() => {});
  }
}

/** Whether the last build had the same sources, settings and packages. */
export async function isBuilt(settings: BuildSettings): Promise<boolean> {
  return hasFingerprint(settings.buildDir, await fingerprintOf(settings));
}

async function hasFingerprint(buildDir: string, fingerprint: string): Promise<boolean> {
  return (await readFingerprint(buildDir)) === fingerprint;
}

/** A hash, and SITE_URL in the second line. */
function readFingerprint(buildDir: string): Promise<string> {
  return readFile(join(buildDir, fingerprintFile), "utf8").catch(() => "");
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
  for (const file of [...sourceFiles, ...(await Promise.all(sourceFolders.map(filesIn))).flat().sort()])
    hash
      .update(`${file}\0`)
      .update(await readFile(join(root, file)))
      .update("\0");
  return `${hash.digest("hex")}\n${siteUrl}`;
}

/** An empty `public` may be missing, because Git does not store empty folders. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((each) => !each.isDirectory()).map((each) => relative(root, join(each.parentPath, each.name)));
}

async function runAstro(
  astro: string,
  { siteUrl, publicUrl, publicKey, buildDir }: BuildSettings,
  signal: AbortSignal | undefined,
) {
  const env = {
    ...process.env,
    ASTRO_TELEMETRY_DISABLED: "1",
    // Any other value, left over in a shell, would put the development build of React into the pages.
    NODE_ENV: "production",
    SITE_URL: siteUrl,
    PUBLIC_SUPABASE_ANON_KEY: publicKey,
    ...(publicUrl !== undefined && { PUBLIC_SUPABASE_URL: publicUrl }),
  };
  const building = run(process.execPath, [astro, "build", "--outDir", buildDir], { cwd: root, env, signal });
  await building.catch((error: { stdout?: string; stderr?: string }) => {
    throw signal?.aborted ? error : new StartError(explainBuildOutput(`${error.stdout}${error.stderr}`));
  });
}
