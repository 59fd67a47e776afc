import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endLeftoverProcesses } from "../../scripts/leftover-processes.mjs";
import { startSite } from "../support/site.ts";

/** Starts a process that outlives the server, keeps its output pipe open and prints its process id. */
const orphan = `
  import { spawn } from "node:child_process";
  const env = { ...process.env, NODE_OPTIONS: "" };
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { env, detached: true, stdio: "inherit" });
  child.unref();
  process.stdout.write("orphan " + child.pid + "\\n");
`;

test("startSite reports a server that ends early, even if a child process keeps its output pipe open", async () => {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), "orphan-")));
  onTestFinished(async () => {
    await endLeftoverProcesses(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  });
  const environment = {
    PORT: "none",
    // `endLeftoverProcesses` finds the orphan by this folder, even if its process id was not printed.
    TMPDIR: dataDir,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(orphan)}`,
  };
  const failure = await startSite({ dataDir, environment }).then(
    () => "",
    (error: Error) => error.message,
  );
  const [, pid] = /orphan (\d+)/.exec(failure) ?? [];
  if (pid) process.kill(Number(pid), "SIGKILL");
  expect(failure).toMatch(/^The server ended with 1 before it served\..*orphan \d+.* PORT: must be a port number/s);
});
