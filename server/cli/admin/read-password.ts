import { createInterface } from "node:readline";
import { type Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError } from "./command-error.ts";

/** Standard input, or what stands in for it: a terminal, or text that ends. */
export type Input = Readable & { isTTY?: boolean };

/**
 * From a person at a terminal, or from standard input when told so. Never from the command line, which other users of
 * the machine can read; and none is made up, because it would have to be printed.
 */
export async function readPassword(input: Input, fromStdin: boolean): Promise<string> {
  if (fromStdin) return (await text(input)).replace(/\r?\n$/, "");
  if (!input.isTTY) {
    throw new CommandError("There is no terminal to ask for the password: pass it with --password-stdin.");
  }

  const password = await ask(input, "Password: ");
  if ((await ask(input, "Again: ")) !== password) throw new CommandError("These were two different passwords.");
  return password;
}

/** Asks on standard error, and shows nothing of the answer. */
function ask(input: Input, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: nowhere, terminal: true });
  process.stderr.write(question);

  return new Promise((answered, fail) => {
    terminal.once("SIGINT", () => fail(new CommandError("Nothing was changed.")));
    terminal.once("close", () => fail(new CommandError("Nothing was changed.")));
    terminal.question("", answered);
  }).finally(() => {
    terminal.close();
    process.stderr.write("\n");
  }) as Promise<string>;
}
