import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface SmtpProcess {
  port: number;
  /** SIGKILL, in the middle of whatever it says. */
  kill(): Promise<void>;
}

/** Starts `smtp-process.ts` and resolves when it listens. */
export async function startSmtp(options: {
  log: string;
  port?: number;
  seed?: number;
  moody?: boolean;
}): Promise<SmtpProcess> {
  const { log, port = 0, seed = 1, moody = false } = options;
  const file = fileURLToPath(new URL("./smtp-process.ts", import.meta.url));
  const settings = ["--log", log, "--port", `${port}`, "--seed", `${seed}`, ...(moody ? ["--moody"] : [])];
  const child = spawn(process.execPath, [file, ...settings], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    ended.then(() => Promise.reject(new Error("The SMTP server ended before it listened."))),
  ]);
  return {
    port: JSON.parse(line.toString()).port,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
