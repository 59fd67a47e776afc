import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { copyDataDir } from "#tests/support/data-dir";
import { freePort, testSiteSettings } from "#tests/support/site";

const root = fileURLToPath(new URL("../../", import.meta.url));

// /dev/full is a device that is always full; only Linux has it.
test.runIf(existsSync("/dev/full"))(
  "a server that cannot write its log still serves pages and stops normally",
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "log-"));
    await copyDataDir(inject("preparedDataDir"), dataDir);
    const port = await freePort();
    const full = openSync("/dev/full", "w");
    const server = spawn(process.execPath, ["server/main.ts"], {
      cwd: root,
      env: { ...process.env, ...testSiteSettings, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "info" },
      stdio: ["ignore", full, full],
    });
    const ended = once(server, "exit");
    onTestFinished(async () => {
      server.kill("SIGKILL");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    });

    const answers = async () => (await fetch(`http://localhost:${port}/`).catch(() => undefined))?.status === 200;
    await vi.waitUntil(answers, { timeout: 45_000 });
    // Each request writes a line to the log.
    expect(await answers()).toBe(true);
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
);
