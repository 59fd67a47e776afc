import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endLeftovers } from "../../scripts/leftovers.mjs";

/** The server and the SMTP server start first. A bound for what hangs, not a measure of speed. */
const secondsMax = 150;
const root = fileURLToPath(new URL("../../", import.meta.url));
let folder: string;
let npm: ChildProcess;
let printed: string;

beforeEach(async () => {
  // Everything that the run makes lies in here.
  folder = await realpath(await mkdtemp(join(tmpdir(), "chaos-ends-")));
  const { NODE_ENV: _, VITEST: __, ...environment } = process.env;
  npm = spawn("npm", ["run", "chaos", "--", "--contacts", "1000", "--kills", "0"], {
    cwd: root,
    env: { ...environment, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  printed = "";
  npm.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
});
afterEach(async () => {
  npm.kill("SIGKILL");
  await endLeftovers(folder);
  await rm(folder, { recursive: true, force: true });
});

test(
  "chaos that loses its server says so, ends, and keeps what the server wrote",
  async () => {
    const { server } = await processes();
    process.kill(server, "SIGKILL");
    expect(await ended()).toBe(1);
    expect(printed).toContain(`The server (process ${server}) ended by itself, by a signal.`);
    expect(printed).toContain("servers lost 1,");
    const [, kept] = /wrote down is in (\S+)\.\n/.exec(printed) ?? [];
    expect(await readdir(kept ?? "")).toEqual(expect.arrayContaining(["data", "server.log"]));
    expect(await endLeftovers(folder)).toEqual([]);
  },
  secondsMax * 1000,
);

test(
  "chaos that loses its SMTP server says so and ends",
  async () => {
    const { smtp } = await processes();
    process.kill(smtp, "SIGKILL");
    expect(await ended()).toBe(1);
    expect(printed).toContain(`The SMTP server (process ${smtp}) ended by itself, by a signal.`);
    expect(await endLeftovers(folder)).toEqual([]);
  },
  secondsMax * 1000,
);

test(
  "SIGTERM to npm run chaos ends and removes everything that it started",
  async () => {
    await processes();
    npm.kill("SIGTERM");
    await ended();
    expect(await endLeftovers(folder)).toEqual([]);
    expect(await chaosFolders()).toEqual([]);
  },
  secondsMax * 1000,
);

test(
  "SIGINT while the servers are still starting leaves nothing behind either",
  async () => {
    while ((await chaosFolders()).length === 0) await once(npm.stdout ?? npm, "data");
    npm.kill("SIGINT");
    await ended();
    expect(await endLeftovers(folder)).toEqual([]);
    expect(await chaosFolders()).toEqual([]);
  },
  secondsMax * 1000,
);

async function processes(): Promise<{ server: number; smtp: number }> {
  for (;;) {
    const [, server, smtp] = /the server is process (\d+), the SMTP server (\d+)/.exec(printed) ?? [];
    if (server && smtp) return { server: Number(server), smtp: Number(smtp) };
    await once(npm.stdout ?? npm, "data");
  }
}

async function chaosFolders(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith("chaos-"));
}

async function ended(): Promise<number | null> {
  if (npm.exitCode === null && npm.signalCode === null) await once(npm, "exit");
  return npm.exitCode;
}
