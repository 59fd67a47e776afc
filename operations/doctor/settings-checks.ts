import { statSync } from "node:fs";
import { envFilePath, readEnvFile } from "#process/environment";
import { SettingsError } from "#process/start-error";
import { readSettings, type Settings, settingNames } from "#server/settings";
import { settingsWarnings } from "#server/settings-warnings";
import { broken, type Candidate, countOf, type Finding, listOf, look, ok, problemsOr } from "./finding.ts";

/** Reads the settings as a start does. Without `settings`, some of them cannot be used and nothing else can be checked. */
export function checkSettings(environment: NodeJS.ProcessEnv): { findings: Finding[]; settings?: Settings } {
  let inFile: NodeJS.Dict<string>;
  let settings: Settings;
  try {
    inFile = readEnvFile(environment);
    settings = readSettings({ ...inFile, ...environment });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const todo =
      "Correct it and run the doctor again: npm start stops with this message, and nothing else was checked.";
    return { findings: error.problems.map((problem) => broken(`${problem.replace(/\.$/, "")}.`, todo)) };
  }
  const used = { ...inFile, ...environment };
  const given = settingNames.filter((name) => used[name]);
  const fine = ok(
    given.length === 0
      ? "None is set, so all have their defaults."
      : `${countOf(given.length, "setting")}: ${listOf(given, 40)}.`,
  );
  const findings = problemsOr(fine, [
    checkSecrecy(envFilePath(environment), inFile),
    ...findUnknown(inFile),
    ...settingsWarnings(settings, used).map((warning) =>
      look(warning, "Set what is empty, and remove what has no effect."),
    ),
  ]);
  return { findings, settings };
}

/** The settings that hold a password or a secret. */
const secrets = ["DATABASE_URL", "SUPERUSER_DATABASE_URL", "SECRETS_KEY", "SMTP_URL", "WEBHOOK_URL", "WEBHOOK_SECRET"];

function checkSecrecy(file: string, inFile: NodeJS.Dict<string>): Candidate {
  const held = secrets.filter((name) => inFile[name]);
  const isOpen = process.platform !== "win32" && held.length > 0 && (statSync(file).mode & 0o004) !== 0;
  return (
    isOpen && look(`Every user of this machine can read ${file}, which holds ${listOf(held)}.`, `chmod 600 ${file}`)
  );
}

/** The environment holds much that is not for this site, but in the file every unknown name is a mistake. */
function findUnknown(inFile: NodeJS.Dict<string>): Finding[] {
  const unknown = Object.keys(inFile).filter((name) => !settingNames.includes(name));
  return unknown.map((name) =>
    broken(
      `${name} is in the file of ENV_FILE, but is no setting and has no effect.`,
      "docs/settings.md has all names.",
    ),
  );
}
