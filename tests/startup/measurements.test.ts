import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { reportContacts } from "../../bench/load/deliveries.ts";

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

test("a lost, a doubled and an unannounced contact are counted, and a second mail that nothing explains", () => {
  const rows = ["a", "b", "b", "c"].map((name, index) => ({ id: String(index), email: `${name}@example.com` }));
  const mail = (contactId: string, isConfirmed = true) => ({ contactId, isConfirmed });
  const { mustBeZero, repeats } = reportContacts({
    acknowledged: new Set(["a", "b", "c", "lost"].map((name) => `${name}@example.com`)),
    rows,
    mails: [mail("0"), mail("0"), mail("1", false), mail("1"), mail("2"), mail("2")],
    interrupted: ["2"],
  });
  expect(mustBeZero).toEqual({ lost: 1, doubled: 1, "not announced": 1, "announced again, unexplained": 1 });
  expect(repeats).toEqual({ unconfirmed: 1, serverKilled: 1, unexplained: 1 });
});
