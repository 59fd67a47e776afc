import { styleText } from "node:util";
import type { Result } from "#operations/doctor/checks";
import { groups } from "#operations/doctor/finding";

const levels = ["ok", "look", "BROKEN"] as const;
const colours = { ok: "green", look: "yellow", BROKEN: "red" } as const;

/** The columns of level and group, before the text. */
const levelWidth = 8;
const indent = levelWidth + Math.max(...groups.map((group) => group.length)) + 2;

/** One line for each finding, the worst at the end, where it stays in sight. Colour only at a terminal. */
export function formatResults(results: readonly Result[], columns: number): string {
  const width = Math.max(40, Math.min(columns, 100) - indent);
  return levels
    .map((level) => results.filter((result) => result.level === level).sort(byGroup))
    .filter((same) => same.length > 0)
    .map((same) => same.map((result) => format(result, width)).join("\n"))
    .join("\n\n");
}

const byGroup = (one: Result, other: Result) => groups.indexOf(one.group) - groups.indexOf(other.group);

function format({ level, group, saw, todo }: Result, width: number): string {
  const [first = "", ...rest] = wrap(saw, width);
  const advice =
    todo === undefined ? [] : wrap(todo, width - 2).map((line, index) => (index === 0 ? "→ " : "  ") + line);
  const head = paint(colours[level], level.padEnd(levelWidth)) + paint("dim", group.padEnd(indent - levelWidth));
  const margin = " ".repeat(indent);
  return [head + first, ...rest.map((line) => margin + line), ...advice.map((line) => margin + line)].join("\n");
}

/** Breaks the text at spaces. A longer word, such as an address, has a line of its own. */
function wrap(text: string, width: number): string[] {
  return text.split(" ").reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
    return lines;
  }, []);
}

export function countLine(results: readonly Result[]): string {
  const [fine, look, broken] = levels.map((level) => results.filter((result) => result.level === level).length);
  const end = broken ? paint("red", `${broken} BROKEN`) : "nothing is broken";
  return `${fine} ok, ${look} to look at, ${end}.`;
}

function paint(colour: "green" | "yellow" | "red" | "dim", text: string): string {
  // `styleText` leaves colours out if standard output is no terminal, or NO_COLOR is set.
  return styleText(colour, text, { stream: process.stdout });
}
