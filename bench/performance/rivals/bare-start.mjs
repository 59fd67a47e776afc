// The least that a start can be: a process that starts PostgreSQL on an existing data folder, waits until it is ready,
// and answers a request. Its argument is JSON that `start.ts` writes.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const { port, data, command, user } = JSON.parse(process.argv[2] ?? "");
const [program, ...options] = command;
const postgres = spawn(program, options, { ...user, stdio: "ignore" });
process.once("SIGTERM", () => {
  postgres.once("exit", () => process.exit());
  postgres.kill("SIGINT");
});
while (!(await isReady())) await pause(2);
createServer((_request, response) => response.end("ready")).listen(port, "localhost");

async function isReady() {
  const lines = (await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  return lines[7]?.trim() === "ready";
}
