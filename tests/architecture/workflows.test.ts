import { globSync, readFileSync } from "node:fs";
import { validate } from "@actions/languageservice";
import { expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";

const workflows = globSync(".github/workflows/*.yml").map((file) => ({ file, text: readFileSync(file, "utf8") }));

test.each(workflows)("GitHub's own language service has no objection to $file", async ({ file, text }) => {
  expect(await objectionsTo(file, text)).toEqual([]);
  expect(await objectionsTo(`${file}.broken`, text.replace("runs-on:", "run-on:"))).not.toEqual([]);
});

test.each(workflows)("$file can only read, runs no action that can change, and keeps no token or cache", ({ text }) => {
  expect(text.match(/^ *permissions:.*(\n +.+)*/gm)).toEqual(["permissions:\n  contents: read"]);
  const actions = text.match(/\buses: .*(\n {8}.*)*/g) ?? [];
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) {
    expect(action).toMatch(/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/m);
    if (action.includes("actions/checkout@")) expect(action).toContain("persist-credentials: false");
    if (action.includes("actions/setup-node@")) expect(action).toContain("package-manager-cache: false");
    expect(action).not.toContain("actions/cache@");
  }
});

/** The service remembers a document by its name. */
async function objectionsTo(name: string, text: string) {
  const found = await validate(TextDocument.create(`file:///${name}`, "yaml", 1, text));
  return found.map(({ message, range }) => `${range.start.line + 1}: ${message}`);
}
