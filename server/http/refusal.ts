/** A refusal for the caller: `message` is fit for anyone, `cause` is for the log only. */
export class Refusal extends Error {
  readonly status: number;
  /** The code in the answer, from the protocol of the API that answers. */
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      details?: string | null;
      hint?: string | null;
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
    this.headers = more.headers ?? {};
  }
}
