// Finds programs of this machine, and installs missing ones where this runs as root and finds apt.
import { spawnSync } from "node:child_process";

/** Makes sure that these programs are there. `packages` names Debian's package of each program. */
export function ensurePrograms(packages) {
  for (const [program, name] of Object.entries(packages)) {
    if (!which(program) && isDebianRoot()) {
      console.log(`No ${program} found. Installing ${name}, once.`);
      installPackage(name);
    }
    if (!which(program)) throw new Error(`There is no ${program} here. Install it, and run this again.`);
  }
}

/** Debian has servers such as nginx in a folder that is not in the search path of every user. */
export function which(name) {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const { status, stdout } = spawnSync("which", [name], { encoding: "utf8", env });
  return status === 0 ? stdout.trim() : undefined;
}

export function isDebianRoot() {
  return process.getuid?.() === 0 && which("apt-get") !== undefined;
}

export function installPackage(name) {
  run("apt-get", ["update", "-q"]);
  run("apt-get", ["install", "-y", "-q", name]);
}

export function run(command, args) {
  spawnSync(command, args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}
