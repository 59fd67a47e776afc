import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "#tests/support/site";
import { writeNginxFiles } from "../load/nginx-files.ts";
import { cores, onCore, pathOf } from "./programs.ts";
import type { Run } from "./run.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** These headers depend on the connection or the moment, so each server writes its own. */
const ownHeaders = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

function copiedHeaders({ headers }: Answer): [string, string][] {
  return Object.entries(headers)
    .filter(([name]) => !ownHeaders.has(name))
    .map(([name, value]) => [name, String(value)]);
}

/** Starts node:http with nothing but this answer. Resolves with its URL. */
export async function startBareServer(run: Run, answer: Answer): Promise<string> {
  const file = fileURLToPath(new URL("./bare-server.ts", import.meta.url));
  const headers = Object.fromEntries(copiedHeaders(answer));
  if (answer.body.length > 0) headers["content-length"] = String(answer.body.length);
  const child = spawnOnServerCore(run, [process.execPath, file]);
  child.stdin.end(JSON.stringify({ status: answer.status, headers, body: answer.body.toString("base64") }));
  const [line] = await once(child.stdout, "data");
  return `http://127.0.0.1:${JSON.parse(String(line)).port}/`;
}

/** Starts nginx with the compressed answer as a file, and the headers of the answer. Resolves with its URL. */
export async function startNginx(run: Run, answer: Answer): Promise<string> {
  const folder = await mkdtemp(join(run.folder, "nginx-"));
  const port = await freePort();
  const headers = copiedHeaders(answer).filter(([name]) => name !== "etag" && name !== "content-type");
  await writeFile(join(folder, "answer"), answer.body);
  const args = await writeNginxFiles(
    folder,
    `  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=10;
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    location = /answer {
      default_type "${answer.headers["content-type"]}";
      ${headers.map(([name, value]) => `add_header ${name} ${JSON.stringify(value)};`).join("\n      ")}
    }
  }`,
  );
  const child = spawnOnServerCore(run, [pathOf("nginx"), ...args]);
  const url = `http://127.0.0.1:${port}/answer`;
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
    await pause(20, undefined, { signal: run.signal });
  }
  return url;
}

function spawnOnServerCore({ signal }: Run, command: readonly string[]) {
  const [program = "", ...args] = onCore(cores.server, command);
  const child = spawn(program, args, { signal, stdio: ["pipe", "pipe", "inherit"] });
  // The signal ends the program when its question is answered.
  child.on("error", (error) => !signal.aborted && console.error(error));
  return child;
}
