import type { Readable } from "node:stream";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { Refusal } from "#backend/http/refusal";
import { print, printError } from "#process/print";
import { type Shutdown, shutdownOnSignal } from "#process/shutdown";
import { explainSyntaxError, StartError } from "#process/start-error";

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

/** Prints an error that the operator can correct as one sentence. Any other error is a bug, printed with its stack trace. */
export function reportProblem(problem: unknown, print = printError) {
  const error = explainSyntaxError(problem);
  print(error instanceof StartError || error instanceof Refusal ? error.message : error);
}

interface CommandLine<Options extends ParseArgsOptionsConfig> {
  /** Printed if the command line is not valid. */
  usage: string;
  options: Options;
  /** How many words may stand beside the options. */
  words?: readonly [least: number, most: number];
}

/** A command as a function of what is typed behind its name. */
export function command<const Options extends ParseArgsOptionsConfig>(
  { usage, options, words: [least, most] = [0, 0] }: CommandLine<Options>,
  work: (
    given: { values: Values<Options>; words: readonly string[] },
    terminal: Terminal,
    shutdown: Shutdown,
  ) => Promise<boolean> | Promise<void>,
) {
  return (args: readonly string[], terminal: Partial<Terminal> = {}): Promise<number> =>
    runInTerminal(terminal, (complete, shutdown) => {
      const { values, positionals: words } = readArguments(args, usage, options);
      if (words.length < least || words.length > most) throw new StartError(usage);
      return work({ values, words }, complete, shutdown);
    });
}

export type Values<Options extends ParseArgsOptionsConfig> = ReturnType<typeof readArguments<Options>>["values"];

function readArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  usage: string,
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch {
    throw new StartError(usage);
  }
}

const progressMilliseconds = 1000;

/** Prints what is being done, at most once a second; a command that ends sooner prints nothing. */
export function createProgress(printNote: Terminal["printNote"]) {
  let printedAt = performance.now();
  return (doing: string, rows: number) => {
    if (performance.now() - printedAt < progressMilliseconds) return;
    printedAt = performance.now();
    printNote(rows > 0 ? `  ${doing}: ${rows.toLocaleString("en-GB")} rows` : `  ${doing}`);
  };
}
