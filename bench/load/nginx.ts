import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const temporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

interface Options {
  folder: string;
  /** The content of the block `http`. */
  http: string;
  /** An address that answers as soon as nginx runs. */
  url: string;
  /** A command that runs another one, such as `taskset`. */
  within?: readonly string[];
}

/** Starts nginx, which touches nothing outside of `folder`. Resolves when it answers, with a function that stops it. */
export async function startNginx({ folder, http, url, within = [] }: Options): Promise<() => Promise<unknown>> {
  const own = await mkdtemp(join(folder, "nginx-"));
  const file = join(own, "nginx.conf");
  // As root, nginx would give its process to another user, who cannot use the folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const temporary = temporaryPaths.map((name) => `${name}_temp_path ${own}/${name};`).join(" ");
  await writeFile(
    file,
    `daemon off; master_process off; pid ${own}/pid; error_log ${own}/log; ${user}
events { worker_connections 8192; }
http { ${temporary}
${http} }`,
  );
  // Debian has nginx in a folder that is not in the search path of every user.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const [program = "", ...args] = [...within, "nginx", "-p", own, "-c", file, "-e", join(own, "log")];
  const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  while (!(await fetch(url).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: see ${own}/log.`);
    await pause(20);
  }
  return () => {
    child.kill("SIGTERM");
    return ended;
  };
}
