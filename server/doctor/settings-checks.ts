import { statSync } from "node:fs";
import { envFilePath, readEnvFile } from "#server/environment";
import { readSettings, type Settings, settingNames } from "#server/settings";
import { settingsWarnings } from "#server/settings-warnings";
import { SettingsError } from "#server/start-error";
import { broken, countOf, type Finding, listOf, look, ok } from "./finding.ts";

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

  const findings = [
    ...problems.map((problem) =>
      broken(
        `${problem.replace(/\.$/, "")}.`,
        "Correct it: npm start stops with this message, and what depends on the setting was not checked.",
      ),
    ),
    ...checkSecrecy(envFilePath(environment), inFile),
    ...findUnknown(Object.keys(inFile), Object.keys(environment)),
    ...settingsWarnings(settings, used).map((warning) =>
      look(warning, "Set what is empty, and remove what has no effect."),
    ),
  ];
  const given = settingNames.filter((name) => used[name]);
  if (findings.length === 0)
    findings.push(
      ok(
        given.length === 0
          ? "None is set, so all have their defaults."
          : `${countOf(given.length, "setting")}: ${listOf(given, 40)}.`,
      ),
    );
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
    // A missing WEBHOOK_SECRET is the problem of a WEBHOOK_URL.
    if (names.length === 0 || names.includes("WEBHOOK_SECRET")) wrong.add("WEBHOOK_URL");
    return readWithout(wrong, environment, problems);
  }
}

/** The settings that hold a password or a secret. */
const secrets = ["DATABASE_URL", "SUPERUSER_DATABASE_URL", "SMTP_URL", "WEBHOOK_SECRET"];

function checkSecrecy(file: string, inFile: NodeJS.Dict<string>): Finding[] {
  const held = secrets.filter((name) => inFile[name]);
  const isOpen = process.platform !== "win32" && held.length > 0 && (statSync(file).mode & 0o004) !== 0;
  if (!isOpen) return [];
  return [look(`Every user of this machine can read ${file}, which holds ${listOf(held)}.`, `chmod 600 ${file}`)];
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
      : look(`${name} is in the file of ENV_FILE, but is not a setting.`, "The table in README.md has all names.");
  });
}

/** The setting that this name is a misspelling of. */
export function meantBy(name: string): string | undefined {
  const plain = plainName(name);
  const near = settingNames
    .map((setting) => ({ setting, slips: slipsBetween(plain, plainName(setting)) }))
    .filter(({ setting, slips }) => slips <= (setting.length < 6 ? 1 : 2) && slips < setting.length / 3)
    .sort((one, other) => one.slips - other.slips);
  return near[0]?.setting;
}

function plainName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z]/g, "");
}

/** Letters to add, drop, replace or swap with their neighbour (optimal string alignment distance). */
function slipsBetween(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (_, j) => i + j),
  );
  const at = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const slips = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1)];
      if (isSwapped) slips.push(at(i - 2, j - 2) + 1);
      (table[i] as number[])[j] = Math.min(...slips);
    }
  }
  return at(one.length, other.length);
}
