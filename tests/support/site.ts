import { spawn } from "node:child_process";
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
  /** Asks it to end, as an operator does, and resolves with its exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: nothing is finished or tidied. */
  kill(): Promise<void>;
}

/** Starts the real server as its own process and resolves when it says that it serves; rejects with what it printed. */
export async function startSite(options: {
  dataDir: string;
  port?: number;
  environment?: Record<string, string>;
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
  });
  let printed = "";
  const ended = new Promise<number | null>((done) => child.on("close", done));

  await new Promise<void>((serving, fail) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes("Serving ")) serving();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    ended.then((code) => fail(new Error(`The server ended with ${code} before it served.\n${printed}`)));
  });

  return {
    url: `http://localhost:${port}`,
    port,
    pid: child.pid ?? 0,
    output: () => printed,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((found, fail) => {
    const probe = createServer().once("error", fail);
    probe.listen(0, "localhost", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? found(address.port) : fail(new Error("no port"))));
    });
  });
}
