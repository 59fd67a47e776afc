import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { readSettings, settingNames } from "#server/settings";

const page = readFileSync("docs/deploying.md", "utf8");
const deployFiles = readdirSync("deploy").map((name) => `deploy/${name}`);

test("docs/deploying.md names every file of deploy/, and no other", () => {
  const named = [...page.matchAll(/\bdeploy\/[\w.]+\w/g)].map(([path]) => path);
  expect([...new Set(named)].sort()).toEqual(deployFiles.sort());
});

test("a shell understands every command in docs/deploying.md", () => {
  const blocks = [...page.matchAll(/^ *```sh\n([\s\S]*?)```/gm)].map(([, code = ""]) => code);
  for (const code of blocks) execFileSync("sh", ["-n"], { input: code });
  expect(blocks.length).toBeGreaterThan(5);
});

test(".env.example has every setting of an owner once, with a value that the server takes", () => {
  const example = readFileSync(".env.example", "utf8");
  const values = parseEnv(example.replaceAll(/^# (?=[A-Z_]+=)/gm, ""));
  const lines = [...example.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);
  // One names such a file, and the other is for tests.
  const others = new Set(["ENV_FILE", "AUTH_LIMITS"]);
  expect(lines.sort()).toEqual(settingNames.filter((name) => !others.has(name)).sort());
  expect(() => readSettings(values)).not.toThrow();
  expect(parseEnv(example)).toEqual({});
});

/** Statements after which a server of the version before may fail. */
const narrowing =
  /\b(drop (table|column|view|materialized view|function|type|schema|default)|rename (to|column)|alter column \w+ (type|set data type|set not null))\b/i;

test("a migration that removes or renames something says that it stops older servers", () => {
  const folders = ["supabase/migrations", "backend/database/bootstrap-migrations", "server/migrations"];
  const files = folders.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  const migrations = files.map((file) => ({ file, sql: readFileSync(file, "utf8") }));
  // Only PostgreSQL calls the function of a trigger.
  const functions = migrations.flatMap(({ sql }) => [...sql.matchAll(/create function (\S+) returns trigger/g)]);
  const ofTriggers = new Set(functions.map(([, name]) => `drop function ${name};`));
  const unmarked = migrations.filter(({ sql }) => {
    const other = sql
      .replaceAll(/--.*/g, "")
      .replaceAll(/drop function \S+;/g, (drop) => (ofTriggers.has(drop) ? "" : drop));
    return narrowing.test(other) && !sql.startsWith("-- Stops older servers");
  });
  expect(unmarked.map(({ file }) => file)).toEqual([]);
});

test("the image has what the fingerprint of a build reads", () => {
  const kept: string[] = readFileSync(".dockerignore", "utf8").match(/(?<=^!)\S+$/gm) ?? [];
  const lists = readFileSync("server/static-site/ensure-built.ts", "utf8").matchAll(/^const source\w+ = (\[.*\]);$/gm);
  const read = [...lists].flatMap(([, list = "[]"]): string[] => JSON.parse(list));
  expect(read.length).toBeGreaterThan(5);
  expect(read.filter((source) => !kept.includes(source))).toEqual([]);
  expect(kept.filter((path) => path !== "public" && !existsSync(path))).toEqual([]);
});
