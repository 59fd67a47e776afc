import { styleText } from "node:util";
import type { Result } from "#operations/doctor/checks";
import { groups } from "#operations/doctor/finding";

const levels = ["ok", "look", "BROKEN"] as const;
const colours = { ok: "green", look: "yellow", BROKEN: "red" } as const;
const levelWidth = 8;
const groupWidth = Math.max(...groups.map((group) => group.length)) + 2;

/** A line for each finding and what to do, the worst at the end, where it stays in sight. Colour only at a terminal. */
export function formatResults(results: readonly Result[]): string {
  const blocks = levels.map((level) =>
    groups.flatMap((group) =>
      results.filter((result) => result.level === level && result.group === group).map(formatResult),
    ),
  );
  return [...blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n")), countLine(results)].join(
    "\n\n",
  );
}

function formatResult({ level, group, saw, todo }: Result): string {
  const line = paint(colours[level], level.padEnd(levelWidth)) + paint("dim", group.padEnd(groupWidth)) + saw;
  return todo === undefined ? line : `${line}\n${" ".repeat(levelWidth + groupWidth)}→ ${todo}`;
}

function countLine(results: readonly Result[]): string {
  const [fine, look, broken] = levels.map((level) => results.filter((result) => result.level === level).length);
  const end = broken ? paint("red", `${broken} BROKEN`) : "nothing is broken";
  return `${fine} ok, ${look} to look at, ${end}.`;
}

function paint(colour: "green" | "yellow" | "red" | "dim", text: string): string {
  // `styleText` leaves colours out if standard output is no terminal, or NO_COLOR is set.
  return styleText(colour, text, { stream: process.stdout });
}
