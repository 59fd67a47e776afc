import { type Check, checksOf, runChecks } from "#operations/doctor/checks";
import { broken } from "#operations/doctor/finding";
import type { Credentials } from "#operations/doctor/hosted-checks";
import { checkSettings } from "#operations/doctor/settings-checks";
import { openDatabase } from "#server/database";
import type { Settings } from "#server/settings";
import { readPassword } from "../admin/prompts.ts";
import { nameDatabase } from "../open-for-command.ts";
import { command } from "../terminal.ts";
import { formatResults } from "./report.ts";

const usage = `Usage:
  npm run doctor
      checks the set-up of this site, and changes nothing
  npm run doctor -- --email ADDRESS [--password-stdin]
      … and tries a hosted project as this account, which should have no role`;

const options = { email: { type: "string" }, "password-stdin": { type: "boolean" } } as const;

export const runDoctor = command({ usage, options }, async ({ values }, { environment, input, print, printNote }) => {
  const { email, "password-stdin": fromStdin } = values;
  const password = email ? await readPassword(input, fromStdin, { isNew: false }) : "";
  const { findings, settings } = checkSettings(environment ?? process.env);
  const given: Check = { group: "settings", run: async () => findings };
  if (settings) printNote(`Database: ${inWords(settings)}`);
  const results = settings
    ? await checkSite(given, settings, email ? { email, password } : undefined)
    : await runChecks([given]);
  print(formatResults(results));
  return results.every(({ level }) => level !== "BROKEN");
});

async function checkSite(given: Check, settings: Settings, credentials: Credentials | undefined) {
  const opened = isHostedOnly(settings) ? undefined : await open(settings);
  if (opened instanceof Error) {
    const reason = opened.message.replace(/\.?$/, ".");
    const problem = broken(`The database was not checked. ${reason}`, "Then run the doctor again for the rest.");
    const notOpen: Check = { group: "database", run: async () => [problem] };
    return runChecks([given, notOpen, ...(await checksOf(settings, undefined, credentials))]);
  }
  try {
    return await runChecks([given, ...(await checksOf(settings, opened, credentials))]);
  } finally {
    await opened?.close();
  }
}

/** Nothing is logged: the findings are the output. */
const quiet = { info() {}, warn() {}, error() {} };

function open(settings: Settings) {
  return openDatabase(settings, quiet, { as: "doctor" }).catch((error: Error) => error);
}

function isHostedOnly({ hostedUrl, databaseUrl }: Settings): boolean {
  return hostedUrl !== undefined && databaseUrl === undefined;
}

function inWords(settings: Settings): string {
  return isHostedOnly(settings) ? `the hosted project at ${settings.hostedUrl}` : nameDatabase(settings);
}
