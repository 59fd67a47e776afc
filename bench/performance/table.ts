import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import { binariesIn, findPackage } from "#server/database/embedded/binaries";
import { findVersion, type Program } from "./programs.ts";
import { type Row, shortened } from "./row.ts";

const head = ["question", "ours", "rival", "ratio", "spread", "goal", "met"];

function cellsOf({ question, ours, rival, ratio, spread, goal = "", met }: Row): string[] {
  return [question, ours, rival, shortened(ratio), spread, goal, met === undefined ? "" : met ? "yes" : "NO"];
}

/** The closing table, for a terminal. */
export function asText(rows: readonly Row[]): string {
  const table = [head, ...rows.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  return table
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The section of docs/measuring.md that keeps the last full run. */
export function asMarkdown(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    `## The last full run`,
    ``,
    machine(),
    ``,
    line(head),
    line(head.map(() => "---")),
    ...rows.map((row) => line(cellsOf(row))),
  ].join("\n");
}

/** Date, commit, machine and versions, without which figures cannot be compared. */
function machine(): string {
  const programs: Program[] = ["nginx", "wrk", "pgbench"];
  const versions = programs.map((name) => `${name} ${findVersion(name) ?? "not installed"}`);
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const cores = `${availableParallelism()} cores (${cpus()[0]?.model.trim()})`;
  return [
    `${new Date().toISOString().slice(0, 10)}, commit ${print("git", "rev-parse", "--short", "HEAD")}: ${cores}, ${gigabytes} GB of memory, ${type()} ${release()};`,
    `Node ${process.versions.node}, PostgreSQL ${/[\d.]+/.exec(print(binariesIn(findPackage()).postgres, "--version"))}, ${versions.join(", ")}.`,
  ].join("\n");
}

function print(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}
