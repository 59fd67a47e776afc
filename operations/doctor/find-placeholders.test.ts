import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { placeholders } from "#content/placeholders";
import { isExample } from "#tests/support/example";
import { findPlaceholders } from "./find-placeholders.ts";

// With an owner's content, the texts of the example are gone.
test.runIf(isExample)("every text of content/placeholders.ts is in its file, as it ships", async () => {
  const found = (await findPlaceholders()).map(({ text }) => text);
  expect(found).toEqual(
    Object.values(placeholders)
      .flat()
      .map(([text]) => text),
  );
});

test("`npm run placeholders` lists what is still as shipped, with file and line", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["operations/commands/placeholders.ts"]);
  const listed = [...stdout.matchAll(/^ {2}(content\/\S+):(\d+) +(\S.*)$/gm)];
  for (const [, file = "", line, text = ""] of listed)
    expect((await readFile(file, "utf8")).split("\n")[Number(line) - 1]).toContain(text);
  const count = (await findPlaceholders()).length;
  expect(listed).toHaveLength(count);
  expect(stdout).toContain(count === 0 ? "Nothing in content/ is as shipped." : `${count} texts are as shipped.`);
});
