import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const server = fileURLToPath(new URL("../../server/", import.meta.url));

/**
 * Only these files may open PostgreSQL connections. They give each connection an error listener for its whole life:
 * without a listener, a lost connection would end the process.
 */
const makers = ["database/client.ts", "database/connections.ts"];

test("only the two files that add an error listener make PostgreSQL connections", () => {
  const files = readdirSync(server, { recursive: true }).map(String);
  const others = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !makers.includes(file));
  const wrong = others.filter((file) => {
    const imports = readFileSync(join(server, file), "utf8").matchAll(/^import (.*) from "pg";$/gm);
    // An import of a type is allowed. An import of the value `Client`, `Pool` or `pg` could open a connection.
    return [...imports].some(
      ([, names = ""]) => !names.startsWith("type ") && /(?<!type )\b(Client|Pool|pg)\b/.test(names),
    );
  });
  expect(wrong).toEqual([]);
});
