import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#tests/support/site";
import { which } from "../../scripts/debian-packages.mjs";

/** Starts nginx with `deploy/nginx.conf` in front of servers on these ports. It touches nothing outside of `folder`. */
export async function startProxy(folder: string, ports: readonly [number, number]) {
  const own = join(folder, "nginx");
  const file = join(own, "nginx.conf");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const original = await readFile(new URL("../../deploy/nginx.conf", import.meta.url), "utf8");
  // As root, nginx would give its process to another user, who cannot use the folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${own}/${of};`);
  await mkdir(own);
  await writeFile(
    file,
    `daemon off; master_process off; pid ${own}/pid; error_log ${own}/log; ${user}
events { worker_connections 8192; }
http { ${temporary.join(" ")}
${withoutTls(original, port, ports)} }`,
  );
  const child = spawn(which("nginx") ?? "nginx", ["-p", own, "-c", file, "-e", join(own, "log")], { stdio: "ignore" });
  const ended = once(child, "exit");
  while (!(await fetch(url).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: see ${own}/log.`);
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
 * The operator's file with the few changes that a measurement needs: other ports, no TLS, both servers at work, and the
 * visitor's address as the load generator on this machine names it.
 */
function withoutTls(text: string, port: number, [first, second]: readonly [number, number]): string {
  const asVisitor = "set_real_ip_from 127.0.0.1;\n  real_ip_header X-Forwarded-For;";
  const changes: [RegExp, string][] = [
    [/^server \{\n\s*listen 80;[\s\S]*?^\}\n/m, ""],
    [/^.*listen \[::\]:443.*\n/m, ""],
    [/listen 443 ssl[^;]*;/, `listen 127.0.0.1:${port};\n  ${asVisitor}`],
    [/^\s*ssl_.*\n/gm, ""],
    [/127\.0\.0\.1:3000\b/, `127.0.0.1:${first}`],
    [/127\.0\.0\.1:3001\b(.*) backup;/, `127.0.0.1:${second}$1;`],
  ];
  return changes.reduce((changed, [pattern, replacement]) => {
    if (changed.search(pattern) < 0) throw new Error(`deploy/nginx.conf has nothing that matches ${pattern}.`);
    return changed.replace(pattern, replacement);
  }, text);
}
