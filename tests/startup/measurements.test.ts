import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test.each([
  ["attack", ["bench/attack.ts", "--requests", "300", "--seed", "1", "--parts", "requests,tokens"]],
  [
    "backup under load, restored elsewhere after a killed restore,",
    ["bench/backup.ts", "--contacts", "100", "--seconds", "1"],
  ],
])(
  "a short %s finds nothing",
  async (_name, args) => {
    const { NODE_ENV: _, VITEST: __, ...environment } = process.env;
    const program = spawn(process.execPath, args, {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    // At this signal the program ends its servers and removes their files.
    onTestFinished(() => void program.kill("SIGTERM"));
    const [printed, [code]] = await Promise.all([text(program.stdout), once(program, "exit")]);
    expect({ code, printed }).toEqual({ code: 0, printed: expect.stringMatching(/^Passed in/m) });
  },
  120_000,
);
