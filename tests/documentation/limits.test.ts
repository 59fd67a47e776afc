import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connectionShares } from "#backend/limits/flood-limits";
import { type Limit, limits } from "#backend/limits/limits";

const protocol = readFileSync("docs/protocol.md", "utf8");

/** The cells of the first table below a heading, without its head. */
function tableBelow(heading: string): string[][] {
  const section = protocol.split(/^(?=#+ )/m).find((part) => part.startsWith(`### ${heading}\n`)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const inWords = (seconds: number) =>
  seconds < 120 ? `${seconds} s` : seconds < 60 * 60 ? `${seconds / 60} minutes` : `${seconds / 60 / 60} h`;

test("docs/protocol.md names every limit with its numbers", () => {
  const rows = Object.entries<Limit>(limits).map(([name, { per, atOnce, seconds }]) => [
    name,
    per.join(", "),
    `${atOnce}, ${inWords(seconds)}`,
  ]);
  expect(tableBelow("Limits")).toEqual(rows);
});

test("docs/protocol.md names the shares of connections", () => {
  const rows = Object.entries(connectionShares).map(([sender, { runningMax, waitingMax }]) => [
    sender,
    `${runningMax}`,
    `${waitingMax}`,
  ]);
  expect(tableBelow("Limits against floods")).toEqual(rows);
});
