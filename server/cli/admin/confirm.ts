import { createInterface } from "node:readline";
import { printable } from "#server/print";
import { CommandError } from "../report-problem.ts";
import type { Input } from "../terminal.ts";

/** Shows what a command is about to destroy, on standard error, and goes on only if the operator types "yes". */
export async function confirm(input: Input, lines: readonly string[]) {
  const question = [...lines, "Type yes to continue: "].join("\n");
  if (!input.isTTY) throw new CommandError([...lines, "Nothing was changed. To skip the question: --yes"].join("\n"));

  const terminal = createInterface({ input, output: process.stderr });
  const answer = await new Promise<string>((resolve) => {
    terminal.once("SIGINT", () => resolve(""));
    terminal.once("close", () => resolve(""));
    terminal.question(printable(question), resolve);
  }).finally(() => terminal.close());
  if (answer.trim().toLowerCase() !== "yes") throw new CommandError("Nothing was changed.");
}
