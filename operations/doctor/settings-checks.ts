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
    ...findUnknown(Object.keys(inFile), Object.keys(environment)),
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

/** In the file every unknown name is a mistake; the environment holds much that is not for this site. */
function findUnknown(inFile: readonly string[], inEnvironment: readonly string[]): Finding[] {
  const names = new Set([...inFile, ...inEnvironment.filter((name) => meantBy(name) !== undefined)]);
  const unknown = [...names].filter((name) => !settingNames.includes(name)).sort();
  return unknown.map((name) => {
    const meant = meantBy(name);
    return meant
      ? broken(`${name} is not a setting, so it has no effect. It looks like ${meant}.`, `Rename it to ${meant}.`)
      : look(`${name} is in the file of ENV_FILE, but is not a setting.`, "docs/settings.md has all names.");
  });
}

const spellings = settingNames.map((name) => ({ name, texts: shortened(plainName(name)) }));

/** The setting that this name is, or is a misspelling of. */
export function meantBy(name: string): string | undefined {
  const given = shortened(plainName(name));
  const same = spellings.find(({ texts }) => texts[0] === given[0]);
  return (same ?? spellings.find(({ texts }) => texts.some((text) => given.includes(text))))?.name;
}

function plainName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z]/g, "");
}

/** The word itself, and without one or two of its letters: two words that differ by a slip or two have one in common. */
function shortened(word: string): string[] {
  const withoutOne = (text: string) => Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));
  const once = withoutOne(word);
  return [word, ...once, ...(word.length < 7 ? [] : once.flatMap(withoutOne))];
}
