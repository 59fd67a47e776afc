import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { describeFileError, SettingsError } from "./start-error.ts";

const defaultEnvFile = fileURLToPath(new URL("../.env", import.meta.url));

/**
 * The environment variables, completed by those of the file ENV_FILE: `.env` in the project's folder unless it is set,
 * none if it is empty. So `npm start` and a command in another shell have the same settings. Variables of the
 * environment win.
 */
export function readEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...readEnvFile(environment), ...environment };
}

/** The path of the file ENV_FILE; empty if none is to be read. */
export function envFilePath({ ENV_FILE: file = defaultEnvFile }: NodeJS.ProcessEnv): string {
  return file === "" ? "" : resolve(file);
}

/** The variables of the file ENV_FILE alone. */
export function readEnvFile(environment: NodeJS.ProcessEnv = process.env): NodeJS.Dict<string> {
  const file = envFilePath(environment);
  if (file === "") return {};
  try {
    // Without a byte order mark, which would become a part of the first name. PowerShell 5 writes UTF-16 for `>`: read as
    // UTF-8, it would hold no setting.
    return parseEnv(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && environment.ENV_FILE === undefined) return {};
    throw new SettingsError([`ENV_FILE: ${file} cannot be read: ${describeFileError(error) ?? code}.`]);
  }
}
