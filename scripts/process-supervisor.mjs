// `process-supervisor.mjs MINUTES PROGRAM ARGUMENT …` runs a program of Node.js. When the program ends or takes too long,
// it ends every process that the program started. It does so too when the process that started this one is gone, even
// after SIGKILL: then standard input ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { endLeftoverProcesses } from "./leftover-processes.mjs";

const [minutesMax, ...args] = process.argv.slice(2);
// The program has a process group of its own, so that one signal reaches all its processes.
const child = spawn(process.execPath, args, { detached: true, stdio: ["ignore", "inherit", "inherit"] });
const limit = setTimeout(() => {
  console.error(`It took more than ${minutesMax} minutes.`);
  killGroup();
}, minutesMax * 60_000);
let isAbandoned = false;
process.stdin.resume().once("close", () => {
  isAbandoned = true;
  killGroup();
});

const [code] = await once(child, "exit");
clearTimeout(limit);
killGroup();
const leftovers = await endLeftoverProcesses(tmpdir());
if (isAbandoned) rmSync(tmpdir(), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
else if (code === 0) for (const line of leftovers) console.error(`It left a process behind: ${line}.`);
process.exit(code === 0 && leftovers.length > 0 ? 1 : (code ?? 1));

function killGroup() {
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // All processes of the group have already ended.
  }
}
