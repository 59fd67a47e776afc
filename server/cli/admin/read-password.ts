import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError } from "../report-problem.ts";
import type { Input } from "../terminal.ts";

/**
 * Reads the password from a person at a terminal, or from standard input with `--password-stdin`. It is never an
 * argument, because other users of the machine can read command lines; and never generated, because it would have to be
 * printed.
 */
export async function readPassword(input: Input, fromStdin: boolean, { isNew = true } = {}): Promise<string> {
  if (fromStdin) return (await text(input)).replace(/\r?\n$/, "");
  if (!input.isTTY) {
    throw new CommandError("There is no terminal to type a password at. Pass it with --password-stdin.");
  }

  const password = await promptHidden(input, "Password: ");
  if (isNew && (await promptHidden(input, "Again: ")) !== password) {
    throw new CommandError("The two passwords are not the same.");
  }
  return password;
}

/** Prompts on standard error and does not echo the answer. */
function promptHidden(input: Input, question: string): Promise<string> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: discard, terminal: true });
  process.stderr.write(question);

  return new Promise<string>((resolve, reject) => {
    terminal.once("SIGINT", () => reject(new CommandError("Nothing was changed.")));
    terminal.once("close", () => reject(new CommandError("Nothing was changed.")));
    terminal.question("", resolve);
  }).finally(() => {
    terminal.close();
    process.stderr.write("\n");
  });
}
