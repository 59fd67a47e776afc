/** Why the server or a command cannot start, in one sentence for the operator. It is printed without a stack. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StartError";
  }
}

/** An error that lists every wrong setting, one in each line. */
export class SettingsError extends StartError {
  /** Each begins with the name of its setting and a colon. */
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
