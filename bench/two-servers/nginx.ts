import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#tests/support/site";
import { writeNginxFiles } from "../load/nginx-files.ts";
import { pathOf } from "../performance/programs.ts";

const original = new URL("../../deploy/nginx.conf", import.meta.url);

/** Starts nginx with `deploy/nginx.conf` in front of servers on these ports. Resolves when it answers. */
export async function startNginx(folder: string, ports: readonly [number, number]) {
  const port = await freePort();
  const files = join(folder, "nginx");
  await mkdir(files);
  const args = await writeNginxFiles(files, siteConfiguration(await readFile(original, "utf8"), port, ports));
  // As root, nginx would give its process to another user, who cannot use the folder.
  const asRoot = process.getuid?.() === 0 ? ["-g", "user root;"] : [];
  const child = spawn(pathOf("nginx"), [...args, ...asRoot], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  ended.catch(() => {});
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: see ${files}/log.`);
    await pause(20);
  }
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/**
 * The file of an operator, changed as little as a test needs: other ports, no TLS, both servers at work, and the load
 * generator, which is on this machine, may say for which visitor it asks.
 */
function siteConfiguration(text: string, port: number, ports: readonly [number, number]): string {
  const changes: [RegExp, string][] = [
    [/^server \{\n\s*listen 80;[\s\S]*?^\}\n/m, ""],
    [/^.*listen \[::\]:443.*\n/m, ""],
    [
      /listen 443 ssl[^;]*;/,
      `listen 127.0.0.1:${port};\n  set_real_ip_from 127.0.0.1;\n  real_ip_header X-Forwarded-For;`,
    ],
    [/^\s*ssl_.*\n/gm, ""],
    [/127\.0\.0\.1:3000\b/, `127.0.0.1:${ports[0]}`],
    [/127\.0\.0\.1:3001\b(.*) backup;/, `127.0.0.1:${ports[1]}$1;`],
  ];
  return changes.reduce((changed, [pattern, replacement]) => {
    if (changed.search(pattern) < 0) throw new Error(`deploy/nginx.conf has nothing that matches ${pattern}.`);
    return changed.replace(pattern, replacement);
  }, text);
}
