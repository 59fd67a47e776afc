import { globSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL("../../", import.meta.url));

/** The files of the repository that `.gitignore` does not name, without git: an archive of a release has none. */
export function sourceFiles(): string[] {
  const ignored = readFileSync(`${cwd}.gitignore`, "utf8").split("\n").filter(Boolean);
  const exclude = [".git", ...ignored].map((name) => `**/${name.replace(/\/$/, "")}`);
  return globSync(["**/*", ".*", ".*/**/*"], { cwd, exclude })
    .filter((file) => statSync(`${cwd}${file}`).isFile())
    .map((file) => file.replaceAll("\\", "/"));
}
