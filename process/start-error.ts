import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Why the server cannot start or a command cannot do its work, in words for the operator. It is printed without a stack. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StartError";
  }
}

/** An error that lists every wrong setting, one in each line. */
export class SettingsError extends StartError {
  /** Each begins with the name of its setting, or the file that gives its default, and a colon. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(["These settings cannot be used:", ...problems.map((problem) => `  ${problem}`)].join("\n"));
    this.name = "SettingsError";
    this.problems = problems;
  }
}

/** What an operator can do something about. Any other error of a file is a bug. */
const fileErrors: Record<string, string> = {
  EACCES: "this user may not do that",
  EPERM: "this user may not do that",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOENT: "it does not exist",
  ENOTDIR: "a file is where a folder should be",
  EEXIST: "a file is where a folder should be",
  EBUSY: "it is in use, or another file system begins there",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "the path is too long",
  EFBIG: "the file is too large for this disk",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not in UTF-8",
};

/** The reason of a file system's error, in words that end a sentence; undefined for other errors. */
export function describeFileError(error: unknown): string | undefined {
  const { code = "" } = error as NodeJS.ErrnoException;
  return Object.hasOwn(fileErrors, code) ? fileErrors[code] : undefined;
}

/** A file system's error as a `StartError` that begins with `problem`; any other error as it is. */
export function explainFileError(problem: string, error: unknown): unknown {
  const reason = describeFileError(error);
  return reason === undefined ? error : new StartError(`${problem}: ${reason}.`, error);
}

/** Node's error about a TypeScript file of `content/` as a `StartError` with the place; any other error as it is. */
export function explainSyntaxError(error: unknown): unknown {
  const { code, message, stack = "" } = error as NodeJS.ErrnoException;
  if (code !== "ERR_INVALID_TYPESCRIPT_SYNTAX") return error;
  const [, file, line] = /^file:.*\/(content\/[\w./-]+):(\d+)$/m.exec(stack) ?? [];
  return file && line ? new StartError(describeSyntaxError(file, Number(line), message), error) : error;
}

/** One sentence and the line. After a forgotten comma the mistake is found in the next line, so both are shown. */
export function describeSyntaxError(file: string, line: number, reason: string): string {
  const lines = readFileSync(join(import.meta.dirname, "..", file), "utf8")
    .split("\n")
    .slice(0, line)
    .slice(-2);
  const shown = lines.map((text, at) => `\n  ${line - lines.length + 1 + at} | ${text}`).join("");
  return `${file}:${line} cannot be read (${reason}). The mistake is in this line, or at the end of the one before:${shown}`;
}
