// Outlives the process that started it for a moment, to end what it left. Standard input says what runs at the moment,
// one line of JSON each time that this changes, and closes when that process is gone, however it ended.
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { endLeftovers } from "./leftovers.mjs";

let running = {};
for await (const line of createInterface({ input: process.stdin })) running = JSON.parse(line);

const { group, folder } = running;
try {
  if (group) process.kill(-group, "SIGKILL");
} catch {
  // It has ended; or this is Windows, which has no groups.
}
if (folder) {
  await endLeftovers(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
