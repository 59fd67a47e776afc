import { type Check, checksOf, runChecks } from "#server/doctor/checks";
import { type Credentials, checkHosted } from "#server/doctor/hosted-checks";
import { checkSettings } from "#server/doctor/settings-checks";
import { stopDeadlineSeconds } from "#server/shutdown";
import { readPassword } from "../admin/prompts.ts";
import { type DatabaseSettings, nameDatabase } from "../open-for-command.ts";
import { CommandError } from "../report-problem.ts";
import { readArguments, runInTerminal, type Terminal } from "../terminal.ts";
import { countLine, formatResults } from "./report.ts";

const usage = `Usage:
  npm run doctor
      checks the set-up of this site, and changes nothing
  npm run doctor -- --url URL --key KEY
      tries a hosted project as a stranger
  npm run doctor -- --url URL --key KEY --email ADDRESS [--password-stdin]
      … and as this account, which should have no role`;

export interface DoctorTerminal extends Terminal {
  columns: number;
}

export function runDoctor(args: readonly string[], terminal: Partial<DoctorTerminal> = {}): Promise<number> {
  const { columns = process.stdout.columns ?? 100, ...others } = terminal;
  return runInTerminal(others, async ({ environment = process.env, input, print, printNote }, shutdown) => {
    const given = parse(args);
    const credentials = given.email
      ? { email: given.email, password: await readPassword(input, given.fromStdin, { isNew: false }) }
      : undefined;
    const found = checkSettings(environment);
    if (!given.url) printNote(`Database: ${inWords(found.settings)}`);
    const opened = given.url
      ? { checks: [hostedCheck({ url: given.url, key: given.key ?? "" }, credentials)], close: async () => {} }
      : checksOf(found, credentials, shutdown.signal);
    shutdown.add({ name: "PostgreSQL", deadlineSeconds: stopDeadlineSeconds.database, close: opened.close });
    const results = await runChecks(opened.checks, printNote);
    await opened.close();
    print(`${formatResults(results, columns)}\n\n${countLine(results)}`);
    return results.every(({ level }) => level !== "BROKEN");
  });
}

function inWords(settings: DatabaseSettings): string {
  const isHosted = settings.hostedUrl !== undefined && settings.databaseUrl === undefined;
  return isHosted ? `the hosted project at ${settings.hostedUrl}` : nameDatabase(settings);
}

function hostedCheck(project: { url: string; key: string }, credentials: Credentials | undefined): Check {
  return { group: "access", run: () => checkHosted(project, credentials) };
}

function parse(args: readonly string[]) {
  const { values, positionals } = readArguments(args, usage, {
    url: { type: "string" },
    key: { type: "string" },
    email: { type: "string" },
    "password-stdin": { type: "boolean", default: false },
  });
  const { url, key, email, "password-stdin": fromStdin } = values;
  const isUsable = positionals.length === 0 && (url === undefined) === (key === undefined);
  if (!isUsable || (url !== undefined && !URL.canParse(url))) throw new CommandError(usage);
  return { url, key, email, fromStdin };
}
