import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isExample } from "#tests/support/example";
import { applyEdit, readDocumentedEdits } from "../support/documented-edits.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

// With an owner's content, the lines of the example are gone. `npm run test:long` also builds the result.
test.runIf(isExample)("every line that docs/making-it-yours.md changes is in content/, once", () => {
  const texts = new Map<string, string>();
  for (const edit of readDocumentedEdits()) {
    const text = texts.get(edit.file) ?? (edit.before === "" ? "" : readFileSync(root + edit.file, "utf8"));
    texts.set(edit.file, applyEdit(edit, text));
  }
  expect(texts.size).toBeGreaterThanOrEqual(8);
});
