import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { printable } from "#process/print";
import { StartError } from "#process/start-error";
import type { Input } from "../terminal.ts";
import type { CommandInput } from "./command.ts";

/** Shows what a command is about to destroy, on standard error, and goes on only if the operator types "yes", or with `--yes`. */
export async function confirm({ input, given }: Pick<CommandInput, "input" | "given">, lines: readonly string[]) {
  if (given.yes) return;
  if (!input.isTTY) throw new StartError([...lines, "Nothing was changed. To skip the question: --yes"].join("\n"));
  const question = printable([...lines, "Type yes to continue: "].join("\n"));
  const answer = await prompt(input, question, { isHidden: false });
  if (answer?.trim().toLowerCase() !== "yes") throw new StartError("Nothing was changed.");
}

/**
 * Reads the password from a person at a terminal, or from standard input with `--password-stdin`. It is never an
 * argument, because other users of the machine can read command lines; and never generated, because it would have to be
 * printed.
 */
export async function readPassword(input: Input, fromStdin = false, { isNew = true } = {}): Promise<string> {
  if (fromStdin) return (await text(input)).replace(/\r?\n$/, "");
  if (!input.isTTY) {
    throw new StartError("There is no terminal to type a password at. Pass it with --password-stdin.");
  }
  const ask = async (question: string) => {
    const answer = await prompt(input, question, { isHidden: true });
    if (answer === undefined) throw new StartError("Nothing was changed.");
    return answer;
  };
  const password = await ask("Password: ");
  if (isNew && (await ask("Again: ")) !== password) throw new StartError("The two passwords are not the same.");
  return password;
}

/** Prompts on standard error, and does not echo a hidden answer. Undefined after Ctrl-C or the end of the input. */
async function prompt(input: Input, question: string, { isHidden }: { isHidden: boolean }) {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isHidden) process.stderr.write(question);
  const terminal = createInterface(
    isHidden ? { input, output: discard, terminal: true } : { input, output: process.stderr },
  );
  const answer = await new Promise<string | undefined>((resolve) => {
    terminal.once("SIGINT", () => resolve(undefined));
    terminal.once("close", () => resolve(undefined));
    terminal.question(isHidden ? "" : question, resolve);
  });
  terminal.close();
  if (isHidden) process.stderr.write("\n");
  return answer;
}
