// Ends a program and its processes when the test run that started it is gone, even after SIGKILL. The test run writes
// one line of JSON to standard input whenever the running program changes; the end of input means that it is gone.
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { endLeftoverProcesses } from "./leftover-processes.mjs";

let running = {};
for await (const line of createInterface({ input: process.stdin })) running = JSON.parse(line);

const { group, folder } = running;
try {
  if (group) process.kill(-group, "SIGKILL");
} catch {
  // The process group has already ended, or this is Windows, which has no process groups.
}
if (folder) {
  await endLeftoverProcesses(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
