import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusals } from "#server/auth/refusals";
import { connectionShares } from "#server/http/flood-limits";
import { type Limit, limits } from "#server/http/limits";
import { tooManyRequests } from "#server/http/refusal";

const protocol = readFileSync("docs/protocol.md", "utf8");

/** The rows of the first table below a heading, without its head. */
function tableBelow(heading: string): string[] {
  const section = protocol.split(/^(?=#+ )/m).find((part) => part.startsWith(`### ${heading}\n`)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) => row.replace(/ +\|/g, " |"));
}

const inWords = (seconds: number) =>
  seconds < 120 ? `${seconds} s` : seconds < 60 * 60 ? `${seconds / 60} minutes` : `${seconds / 60 / 60} h`;

function beyondOf({ beyond }: Limit): string {
  if (beyond === "wrongCode") return "as a wrong code";
  const { status, code } = { ...refusals, tooManyRequests }[beyond](1);
  return `${status} \`${code}\``;
}

test("docs/protocol.md names every limit with its numbers and refusal", () => {
  const rows = Object.entries<Limit>(limits).map(([name, limit]) => {
    const per = limit.per.join(", ") || "server";
    return `| ${name} | ${per} | ${limit.atOnce} | ${inWords(limit.seconds)} | ${beyondOf(limit)} |`;
  });
  expect(tableBelow("Limits")).toEqual(rows);
});

test("docs/protocol.md names the shares of connections", () => {
  const rows = Object.entries(connectionShares).map(
    ([sender, { runningMax, waitingMax }]) => `| ${sender} | ${runningMax} | ${waitingMax} |`,
  );
  expect(tableBelow("Limits against floods")).toEqual(rows);
});
