import { Refusal } from "#backend/http/refusal";
import { printError } from "#process/print";
import { explainSyntaxError, StartError } from "#process/start-error";

/** An error whose message tells the operator why a command cannot do its work. It is printed without a stack trace. */
export class CommandError extends Error {}

/**
 * Prints an error that the operator can correct as one sentence. Any other error is a bug and is printed with its stack
 * trace.
 */
export function reportProblem(problem: unknown, print = printError) {
  const error = explainSyntaxError(problem);
  const isPlain = [CommandError, Refusal, StartError].some((kind) => error instanceof kind);
  print(isPlain ? (error as Error).message : error);
}
