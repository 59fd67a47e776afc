import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sourceFiles } from "#tests/support/source-files";

/**
 * Only these files may open PostgreSQL connections. They give each connection an error listener for its whole life:
 * without a listener, a lost connection would end the process.
 */
const makers = ["backend/database/client.ts", "backend/database/connections.ts"];

test("only the two files that add an error listener make PostgreSQL connections", () => {
  const others = sourceFiles().filter(
    (file) =>
      /^(process|backend|server|operations)\/.*\.ts$/.test(file) &&
      !file.endsWith(".test.ts") &&
      !makers.includes(file),
  );
  const wrong = others.filter((file) => {
    const imports = readFileSync(file, "utf8").matchAll(/^import (.*) from "pg";$/gm);
    // An import of a type is allowed. An import of the value `Client`, `Pool` or `pg` could open a connection.
    return [...imports].some(
      ([, names = ""]) => !names.startsWith("type ") && /(?<!type )\b(Client|Pool|pg)\b/.test(names),
    );
  });
  expect(wrong).toEqual([]);
});
