import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Where the site under test answers in a browser. `TEST_SITE_PORT` moves it, so that two checkouts can test at once. */
export const sitePort = Number(process.env.TEST_SITE_PORT ?? 4173);

/** One address and one build for all: the address is compiled into the pages, and another one would mean another build. */
export const testSiteSettings = { SITE_URL: `http://localhost:${sitePort}`, BUILD_DIR: ".cache/test-site" };

export interface RunningSite {
  url: string;
  port: number;
  pid: number;
  /** All that the server has printed so far. */
  output(): string;
  /** Its exit code, whatever ended it; null after a signal. */
  ended: Promise<number | null>;
  /** Asks it to end, as an operator does, and resolves with its exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: nothing is finished or tidied. */
  kill(): Promise<void>;
}

/** A first start also makes a PostgreSQL and may build the site. A bound for what hangs, not a measure of speed. */
const startSecondsMax = 120;
/** Above the server's own limit for its end. */
const stopSecondsMax = 30;
/** An orphan that inherited the pipe keeps it open, but what the server itself wrote is there when it ends. */
const drainMilliseconds = 500;

/** Starts the real server as its own process and resolves when it says that it serves; rejects with what it printed. */
export async function startSite(options: {
  dataDir: string;
  port?: number;
  environment?: Record<string, string>;
  /** Kills the server when it is aborted, at any time. */
  signal?: AbortSignal;
}): Promise<RunningSite> {
  const port = options.port ?? (await freePort());
  const child = spawn(process.execPath, ["server/main.ts"], {
    cwd: root,
    env: {
      ...process.env,
      ...testSiteSettings,
      PORT: String(port),
      DATA_DIR: options.dataDir,
      // All the people of a test sit at one address.
      AUTH_LIMITS: "off",
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.signal && { signal: options.signal, killSignal: "SIGKILL" }),
  });
  let printed = "";
  const ended = exitOf(child);

  await new Promise<void>((serving, fail) => {
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      fail(new Error(`The server did not serve within ${startSecondsMax} seconds.\n${printed}`));
    }, startSecondsMax * 1000);
    ended.then(() => clearTimeout(limit));
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (!printed.includes("Serving ")) return;
      clearTimeout(limit);
      serving();
    };
    child.on("error", fail);
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    ended.then((code) => fail(new Error(`The server ended with ${code} before it served.\n${printed}`)));
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

/** Not "close", which waits for every process that inherited the pipes. */
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
 * A port for a server that binds it some seconds later; the next one, which `npm run dev` takes as well, is free too. It
 * lies below the range from which a system takes the ports of connections and of `listen(0)`, so that neither gets it
 * meanwhile, and it is even, so that no other test draws its neighbour.
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

/** An address that this machine does not have, as `::1` without IPv6, is in no one's use. */
function isInUse(port: number, host: string): Promise<boolean> {
  return new Promise((tell) => {
    const probe = createServer();
    probe.once("error", ({ code }: NodeJS.ErrnoException) => tell(code === "EADDRINUSE" || code === "EACCES"));
    probe.listen(port, host, () => probe.close(() => tell(false)));
  });
}
