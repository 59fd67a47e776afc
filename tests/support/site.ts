import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The port of the site under test. `TEST_SITE_PORT` changes it, so that two checkouts can run tests at once. */
export const sitePort = Number(process.env.TEST_SITE_PORT ?? 4173);

export const siteUrl = `http://localhost:${sitePort}`;

/**
 * One address and one build for all tests, because the address is compiled into the pages. No `.env`: that of a
 * developer may lead to a real database.
 */
export const testSiteSettings = { SITE_URL: siteUrl, BUILD_DIR: ".cache/test-site", ENV_FILE: "" };

export interface RunningSite {
  url: string;
  port: number;
  pid: number;
  /** The output of the server so far. */
  output(): string;
  /** Resolves with the exit code, or with null if a signal ended the process. */
  ended: Promise<number | null>;
  /** Sends SIGTERM, as an operator does, and resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL, after which the server cannot clean up. */
  kill(): Promise<void>;
}

/** The limit ends starts that hang. A slow start, which creates a database and builds the site, takes less time. */
const startSecondsMax = 120;
/** This limit is longer than the time limit that the server itself has for a stop. */
const stopSecondsMax = 30;
/**
 * After the server's exit, the tests read its output for at most this time. A child process of the server that still
 * runs may keep the output pipe open for ever.
 */
const drainMilliseconds = 500;

/** Starts the server in a new process. Resolves when it is ready; rejects with its output if the start fails. */
export async function startSite(options: {
  dataDir: string;
  port?: number;
  environment?: Record<string, string>;
  args?: readonly string[];
  /** A command that becomes the server, such as `nsenter … --`. */
  within?: readonly string[];
  /** An abort kills the server, even during its start. */
  signal?: AbortSignal;
}): Promise<RunningSite> {
  const port = options.port ?? (await freePort());
  const [command = "", ...args] = [
    ...(options.within ?? []),
    process.execPath,
    "--max-semi-space-size=4",
    "operations/commands/start.mjs",
    ...(options.args ?? []),
  ];
  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...process.env,
      ...testSiteSettings,
      PORT: String(port),
      DATA_DIR: options.dataDir,
      // All accounts of a test sign in from one address, so the limits would refuse some of them.
      AUTH_LIMITS: "off",
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.signal && { signal: options.signal, killSignal: "SIGKILL" }),
  });
  let printed = "";
  const ended = exitOf(child);

  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`The server did not serve within ${startSecondsMax} seconds.\n${printed}`));
    }, startSecondsMax * 1000);
    ended.then(() => clearTimeout(limit));
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (!printed.includes("Serving ")) return;
      clearTimeout(limit);
      resolve();
    };
    child.on("error", reject);
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    ended.then((code) => reject(new Error(`The server ended with ${code} before it served.\n${printed}`)));
  });

  return {
    url: `http://localhost:${port}`,
    port,
    pid: child.pid ?? 0,
    output: () => printed,
    ended,
    stop() {
      child.kill("SIGTERM");
      const limit = setTimeout(() => child.kill("SIGKILL"), stopSecondsMax * 1000);
      return ended.finally(() => clearTimeout(limit));
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/**
 * Resolves soon after the exit of `child`. The event "close" alone can be too late: it comes after the exit of all
 * processes that inherited the pipes.
 */
function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => {
    child.once("error", () => child.pid === undefined && done(null));
    child.once("exit", (code) => {
      const finish = () => {
        clearTimeout(limit);
        child.stdout?.destroy();
        child.stderr?.destroy();
        done(code);
      };
      const limit = setTimeout(finish, drainMilliseconds);
      child.once("close", finish);
    });
  });
}

/**
 * Finds a free port for a server that starts to listen some seconds later. The next port is also free, because
 * `npm run dev` uses both. Both ports stay free: they are below the ephemeral range, from which the system assigns
 * ports to connections and to `listen(0)`. The function returns only even ports, so no other test gets the next port.
 */
export async function freePort(): Promise<number> {
  for (let draws = 0; draws < 100; draws++) {
    const port = 20_000 + 2 * randomInt(6000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error("A hundred ports between 20000 and 32000 were all in use.");
}

async function isFree(port: number): Promise<boolean> {
  for (const host of ["127.0.0.1", "::1"]) if (await isInUse(port, host)) return false;
  return true;
}

/**
 * Resolves with true if the port is in use. If this machine does not have the address `host` (`::1` without IPv6), the
 * port is not in use there.
 */
function isInUse(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRINUSE" || code === "EACCES"));
    probe.listen(port, host, () => probe.close(() => resolve(false)));
  });
}
