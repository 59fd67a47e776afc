import { openDatabase } from "#backend/database/open-database";
import { CommandError } from "#operations/commands/report-problem";
import { type Check, checksOf, type Result, runChecks } from "#operations/doctor/checks";
import { broken } from "#operations/doctor/finding";
import type { Credentials } from "#operations/doctor/hosted-checks";
import { checkSettings } from "#operations/doctor/settings-checks";
import type { Settings } from "#server/settings";
import { readPassword } from "../admin/prompts.ts";
import { nameDatabase } from "../open-for-command.ts";
import { readArguments, runInTerminal, type Terminal } from "../terminal.ts";
import { countLine, formatResults } from "./report.ts";

const usage = `Usage:
  npm run doctor
      checks the set-up of this site, and changes nothing
  npm run doctor -- --email ADDRESS [--password-stdin]
      … and tries a hosted project as this account, which should have no role`;

export interface DoctorTerminal extends Terminal {
  columns: number;
}

export function runDoctor(args: readonly string[], terminal: Partial<DoctorTerminal> = {}): Promise<number> {
  const { columns = process.stdout.columns ?? 100, ...others } = terminal;
  return runInTerminal(others, async ({ environment = process.env, input, print, printNote }) => {
    const { values, positionals } = readArguments(args, usage, {
      email: { type: "string" },
      "password-stdin": { type: "boolean" },
    });
    const { email, "password-stdin": fromStdin } = values;
    if (positionals.length > 0) throw new CommandError(usage);
    const password = email ? await readPassword(input, fromStdin, { isNew: false }) : "";
    const results = await checkSite(environment, email ? { email, password } : undefined, printNote);
    print(`${formatResults(results, columns)}\n\n${countLine(results)}`);
    return results.every(({ level }) => level !== "BROKEN");
  });
}

async function checkSite(
  environment: NodeJS.ProcessEnv,
  credentials: Credentials | undefined,
  printNote: Terminal["printNote"],
): Promise<Result[]> {
  const { findings, settings } = checkSettings(environment);
  const check: Check = { group: "settings", run: async () => findings };
  if (!settings) return runChecks([check]);
  const isHosted = settings.hostedUrl !== undefined && settings.databaseUrl === undefined;
  printNote(`Database: ${isHosted ? `the hosted project at ${settings.hostedUrl}` : nameDatabase(settings)}`);
  const opened = isHosted ? undefined : await open(settings);
  if (opened instanceof Error) {
    const problem = broken(
      `The database was not checked. ${opened.message}`,
      "Then run the doctor again for the rest.",
    );
    const notOpen: Check = { group: "database", run: async () => [problem] };
    return runChecks([check, notOpen, ...(await checksOf(settings, undefined, credentials))]);
  }
  try {
    return await runChecks([check, ...(await checksOf(settings, opened?.owner, credentials))]);
  } finally {
    await opened?.close();
  }
}

/** Nothing is logged: the findings are the output. */
const quiet = { info() {}, warn() {}, error() {} };

function open(settings: Settings) {
  return openDatabase(settings, quiet, { as: "doctor" }).catch((error: Error) => error);
}
