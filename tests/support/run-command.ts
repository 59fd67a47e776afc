import { Readable } from "node:stream";
import { runAdmin } from "#operations/commands/admin/run-admin";
import type { Terminal } from "#operations/commands/terminal";

/** The environment variables without DATABASE_URL: if it is set, the tests must not change that database. */
const { DATABASE_URL: _databaseUrl, ...inherited } = process.env;

interface Call {
  environment?: Record<string, string>;
  input?: string;
  printNote?: Terminal["printNote"];
}

/** Runs a command in this process. Resolves with its output, its errors and its exit code. */
export async function runCommand(
  command: (args: readonly string[], terminal: Partial<Terminal>) => Promise<number>,
  args: readonly string[],
  { environment = {}, input = "", printNote = () => {} }: Call = {},
) {
  const printed = { out: [] as string[], err: [] as string[] };
  const code = await command(args, {
    environment: { ...inherited, ...environment },
    input: Readable.from([input]),
    print: (text) => printed.out.push(text),
    printNote,
    printError: (error) => printed.err.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  return { code, out: printed.out.join("\n"), err: printed.err.join("\n") };
}

/** Runs `npm run admin -- …` in this process. */
export const admin = (line: string, call: Call = {}) => runCommand(runAdmin, line.split(" "), call);
