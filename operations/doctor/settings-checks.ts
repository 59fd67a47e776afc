import { statSync } from "node:fs";
import { envFilePath, readEnvFile } from "#process/environment";
import { SettingsError } from "#process/start-error";
import { readSettings, type Settings, settingNames } from "#server/settings";
import { settingsWarnings } from "#server/settings-warnings";
import { broken, type Candidate, countOf, type Finding, listOf, look, ok, problemsOr } from "./finding.ts";

export interface FoundSettings {
  findings: Finding[];
  settings: Settings;
  /** The names of settings that cannot be used. `settings` has their defaults, so what depends on them is not checked. */
  wrong: ReadonlySet<string>;
}

/** Reads the settings as a start does, but goes on after a problem. */
export function checkSettings(environment: NodeJS.ProcessEnv): FoundSettings {
  const problems: string[] = [];
  let inFile: NodeJS.Dict<string> = {};
  try {
    inFile = readEnvFile(environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems);
  }
  const used = { ...inFile, ...environment };
  const wrong = new Set<string>(problems.map(nameOf));
  const settings = readWithout(wrong, used, problems);

  const given = settingNames.filter((name) => used[name]);
  const fine = ok(
    given.length === 0
      ? "None is set, so all have their defaults."
      : `${countOf(given.length, "setting")}: ${listOf(given, 40)}.`,
  );
  const findings = problemsOr(fine, [
    ...problems.map((problem) =>
      broken(
        `${problem.replace(/\.$/, "")}.`,
        "Correct it: npm start stops with this message, and what depends on the setting was not checked.",
      ),
    ),
    checkSecrecy(envFilePath(environment), inFile),
    ...findUnknown(Object.keys(inFile), Object.keys(environment)),
    ...settingsWarnings(settings, used).map((warning) =>
      look(warning, "Set what is empty, and remove what has no effect."),
    ),
  ]);
  return { findings, settings, wrong };
}

/** Reads the settings without the wrong ones, whose defaults stand in for them. */
function readWithout(wrong: Set<string>, environment: NodeJS.ProcessEnv, problems: string[]): Settings {
  try {
    return readSettings(Object.fromEntries(Object.entries(environment).filter(([name]) => !wrong.has(name))));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const names = error.problems.map(nameOf).filter((name) => !wrong.has(name));
    problems.push(...error.problems);
    for (const name of names) wrong.add(name);
    // A missing WEBHOOK_SECRET is reported as a problem of WEBHOOK_URL.
    if (names.length === 0 || names.includes("WEBHOOK_SECRET")) wrong.add("WEBHOOK_URL");
    return readWithout(wrong, environment, problems);
  }
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

function nameOf(problem: string): string {
  return problem.split(/[.:]/, 1)[0] ?? "";
}

/** In the file every unknown name is a mistake; the environment holds much that is not for this site. */
function findUnknown(inFile: readonly string[], inEnvironment: readonly string[]): Finding[] {
  const isUnknown = (name: string) => !settingNames.includes(name);
  const isTypo = (name: string) => meantBy(name) !== undefined;
  const names = new Set([...inFile.filter(isUnknown), ...inEnvironment.filter(isUnknown).filter(isTypo)]);
  return [...names].sort().map((name) => {
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
