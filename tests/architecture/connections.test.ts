import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const server = fileURLToPath(new URL("../../server/", import.meta.url));

/** Where connections are made with a listener for their whole life. */
const makers = ["database/client.ts", "database/connections.ts"];

test("every connection to PostgreSQL is one whose loss cannot end the process", () => {
  const files = readdirSync(server, { recursive: true }).map(String);
  const others = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !makers.includes(file));
  const wrong = others.filter((file) => {
    const imports = readFileSync(join(server, file), "utf8").matchAll(/^import (.*) from "pg";$/gm);
    // Types make no connection; anything else but these two names could.
    return [...imports].some(
      ([, names = ""]) => !names.startsWith("type ") && /(?<!type )\b(Client|Pool|pg)\b/.test(names),
    );
  });
  expect(wrong).toEqual([]);
});
