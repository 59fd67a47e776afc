import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connectionShares } from "#backend/http/flood-limits";
import { type Limit, limits } from "#backend/http/limits";

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

/** What the table says in brackets where a column is not the whole truth. */
const remarks: Readonly<Record<string, string>> = {
  "passwords during an attack": " (end site)",
  "second factors in a proved network": " ([proved](#attempts-of-second-factors))",
  "contacts of an end site": " (end site)",
  "contacts of unknown senders": " (unknown senders)",
};

/** A row has the limits whose names begin with its own: of one network, of a wide network or end site, and of all. */
function rowsOf(names: readonly string[]): string[][] {
  const rows = new Map<string, string[]>();
  for (const [name, { per, atOnce, seconds }] of Object.entries<Limit>(limits)) {
    const first = names.findLast((each) => name === each || name.startsWith(`${each} `)) ?? name;
    const others = per.filter((part) => !/network|end site/.test(part));
    const row = rows.get(first) ?? [first, others.join(", "), "", "", ""];
    const column = per.includes("network") ? 2 : others.length < per.length ? 3 : 4;
    row[column] = `${atOnce}, ${inWords(seconds)}${remarks[name] ?? ""}`;
    rows.set(first, row);
  }
  return [...rows.values()];
}

test("docs/protocol.md names every limit with its numbers", () => {
  const table = tableBelow("Limits");
  expect(table).toEqual(rowsOf(table.map(([name = ""]) => name)));
});

test("docs/protocol.md names the shares of connections", () => {
  const rows = Object.entries(connectionShares).map(([sender, { runningMax, waitingMax }]) => [
    sender,
    `${runningMax}`,
    `${waitingMax}`,
  ]);
  expect(tableBelow("Limits against floods")).toEqual(rows);
});
