import { inspect } from "node:util";

/** The colours of the doctor, and every other character that could control a terminal or hide what follows it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const controls = /(\u001b\[(?:2|22|3[1239])m)|(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes text safe for a terminal. It may quote visitors, foreign backups, mail servers and PostgreSQL, whose control
 * characters could clear the screen, imitate other output or change the terminal. They are escaped as in JSON, so that
 * JSON keeps its meaning.
 */
export function printable(text: string): string {
  return text.replace(controls, (control, colour?: string) => colour ?? control.split("").map(escaped).join(""));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** All that the server and its commands write as text goes through here. */
export function print(text: string) {
  console.log(printable(text));
}

export function printError(problem: unknown) {
  console.error(printable(typeof problem === "string" ? problem : inspect(problem)));
}
