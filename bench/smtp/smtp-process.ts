import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface SmtpProcess {
  pid: number;
  port: number;
  /** Resolves with the exit code of the process, or with null if a signal ended it. */
  ended: Promise<number | null>;
  /** What the process has written to standard error so far. */
  output(): string;
  /** Sends SIGKILL and resolves when the process has ended. */
  kill(): Promise<void>;
}

/** This limit only ends a start that hangs. It says nothing about speed. */
const startSecondsMax = 60;

/** Starts `smtp-server.ts` and resolves when it listens. */
export async function startSmtp(options: {
  log: string;
  port?: number;
  seed?: number;
  faulty?: boolean;
  /** Aborting this signal kills the process, also while it starts. */
  signal?: AbortSignal;
}): Promise<SmtpProcess> {
  const { log, port = 0, seed = 1, faulty = false, signal } = options;
  const file = fileURLToPath(new URL("./smtp-server.ts", import.meta.url));
  const settings = ["--log", log, "--port", `${port}`, "--seed", `${seed}`, ...(faulty ? ["--faulty"] : [])];
  const child = spawn(process.execPath, [file, ...settings], { stdio: "pipe", signal, killSignal: "SIGKILL" });
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
  const failed = once(child, "error").then(([error]) => Promise.reject(error));
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const limit = new AbortController();
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    failed,
    ended.then((code) => Promise.reject(new Error(`The SMTP server ended (${code}) before it listened.\n${printed}`))),
    pause(startSecondsMax * 1000, undefined, { signal: limit.signal }).then(() => {
      child.kill("SIGKILL");
      throw new Error(`The SMTP server did not listen within ${startSecondsMax} seconds.\n${printed}`);
    }),
  ]).finally(() => limit.abort());
  return {
    pid: child.pid ?? 0,
    port: JSON.parse(line.toString()).port,
    ended,
    output: () => printed,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
