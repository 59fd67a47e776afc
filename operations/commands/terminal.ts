import type { Readable } from "node:stream";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { print, printError } from "#process/print";
import { type Shutdown, shutdownOnSignal } from "#process/shutdown";
import { CommandError, reportProblem } from "./report-problem.ts";

/** Standard input, or what a test passes instead. It is a terminal, or a stream that ends after its text. */
export type Input = Readable & { isTTY?: boolean };

export interface Terminal {
  /** Undefined: the environment variables and the file `.env`. */
  environment: NodeJS.ProcessEnv | undefined;
  input: Input;
  print: (text: string) => void;
  /** Prints on standard error what is neither the result nor a problem. */
  printNote: (text: string) => void;
  printError: (error: unknown) => void;
}

/**
 * Runs the work of a command, and resolves with its exit code: 1 if the work resolves with false, or after a problem,
 * which is printed. Never rejects. A signal ends the process after the steps of `shutdown`, so that an interrupted
 * command leaves nothing.
 */
export async function runInTerminal(
  terminal: Partial<Terminal>,
  work: (terminal: Terminal, shutdown: Shutdown) => Promise<boolean> | Promise<void>,
): Promise<number> {
  const own = { environment: undefined, input: process.stdin, print, printNote: printError, printError };
  const complete: Terminal = { ...own, ...terminal };
  const shutdown = shutdownOnSignal({ warn: complete.printNote, error: complete.printError }, 1);
  shutdown.signal.addEventListener("abort", () => complete.printNote("Stopped."));
  try {
    return (await work(complete, shutdown)) === false ? 1 : 0;
  } catch (error) {
    // An interrupted command fails in many ways, which mean nothing.
    if (!shutdown.hasBegun) reportProblem(error, complete.printError);
    return 1;
  } finally {
    shutdown.release();
  }
}

/** The options of a command line and what stands beside them. An unknown option prints how the command is used. */
export function readArguments<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  usage: string,
  options: O,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch {
    throw new CommandError(usage);
  }
}

export type Progress = (doing: string, rows: number) => void;

const progressMilliseconds = 1000;

/** Prints what is being done, at most once a second; a command that ends sooner prints nothing. */
export function createProgress(printNote: Terminal["printNote"]): Progress {
  let printedAt = performance.now();
  return (doing, rows) => {
    if (performance.now() - printedAt < progressMilliseconds) return;
    printedAt = performance.now();
    printNote(rows > 0 ? `  ${doing}: ${rows.toLocaleString("en-GB")} rows` : `  ${doing}`);
  };
}
