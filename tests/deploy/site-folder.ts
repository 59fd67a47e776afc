import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { sourceFiles } from "#tests/support/source-files";

/**
 * Makes a folder of the site as an operator has it: the files of the repository, the packages and a build for
 * `siteUrl`. All of it belongs to root.
 */
export function makeSiteFolder(folder: string, siteUrl: string) {
  for (const file of sourceFiles()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  // As hard links where that is possible, because the packages are large.
  try {
    execFileSync("cp", ["--archive", "--link", "node_modules", folder], { stdio: "ignore" });
  } catch {
    execFileSync("cp", ["--archive", "node_modules", folder]);
  }
  execFileSync(process.execPath, ["operations/commands/build.ts"], {
    cwd: folder,
    env: { ...process.env, ENV_FILE: "", SITE_URL: siteUrl, BUILD_DIR: "dist" },
    stdio: "ignore",
  });
}
