/** Why the server cannot start, in one sentence for the operator. `main.ts` prints it without a stack. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StartError";
  }
}
