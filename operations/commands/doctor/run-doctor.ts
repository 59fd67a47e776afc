import { CommandError } from "#operations/commands/report-problem";
import { checksOf, runChecks } from "#operations/doctor/checks";
import { checkHosted } from "#operations/doctor/hosted-checks";
import { checkSettings } from "#operations/doctor/settings-checks";
import { stopDeadlineSeconds } from "#process/shutdown";
import { readPassword } from "../admin/prompts.ts";
import { type DatabaseSettings, nameDatabase } from "../open-for-command.ts";
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
    const { url, key = "", email, "password-stdin": fromStdin } = parse(args);
    const password = email ? await readPassword(input, fromStdin, { isNew: false }) : "";
    const credentials = email ? { email, password } : undefined;
    const found = checkSettings(environment);
    if (!url) printNote(`Database: ${inWords(found.settings)}`);
    const { checks, close } = url
      ? {
          checks: [{ group: "access", run: () => checkHosted({ url, key }, credentials) } as const],
          close: async () => {},
        }
      : checksOf(found, credentials, shutdown.signal);
    shutdown.add({ name: "PostgreSQL", deadlineSeconds: stopDeadlineSeconds.database, close });
    const results = await runChecks(checks, printNote);
    await close();
    print(`${formatResults(results, columns)}\n\n${countLine(results)}`);
    return results.every(({ level }) => level !== "BROKEN");
  });
}

function inWords(settings: DatabaseSettings): string {
  const isHosted = settings.hostedUrl !== undefined && settings.databaseUrl === undefined;
  return isHosted ? `the hosted project at ${settings.hostedUrl}` : nameDatabase(settings);
}

function parse(args: readonly string[]) {
  const { values, positionals } = readArguments(args, usage, {
    url: { type: "string" },
    key: { type: "string" },
    email: { type: "string" },
    "password-stdin": { type: "boolean" },
  });
  const { url, key } = values;
  const isUsable = positionals.length === 0 && (url === undefined) === (key === undefined);
  if (!isUsable || (url !== undefined && !URL.canParse(url))) throw new CommandError(usage);
  return values;
}
