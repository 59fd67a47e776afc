import { Readable } from "node:stream";
import { runAdmin } from "#operations/commands/admin/run-admin";

/** The environment variables without DATABASE_URL: if it is set, the tests must not change that database. */
const { DATABASE_URL: _databaseUrl, ...inherited } = process.env;

/** Runs `npm run admin -- …` in this process. Resolves with the command's output, errors and exit code. */
export async function admin(line: string, { input = "", environment = {} as Record<string, string> } = {}) {
  const printed = { out: [] as string[], err: [] as string[] };
  const code = await runAdmin(line.split(" "), {
    environment: { ...inherited, ...environment },
    input: Readable.from([input]),
    print: (text) => printed.out.push(text),
    printNote: () => {},
    printError: (error) => printed.err.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  return { code, out: printed.out.join("\n"), err: printed.err.join("\n") };
}
