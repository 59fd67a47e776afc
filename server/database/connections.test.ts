import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Script, startFakePostgres } from "#tests/support/fake-postgres";

const useConnections = fileURLToPath(new URL("../../tests/support/use-connections.ts", import.meta.url));

test.each<[string, Script]>([
  ["at the end of a login", { endsAfter: "login" }],
  ["between two statements", { endsAfter: /^begin/ }],
  ["after the last statement", { endsAfter: /^(select|commit)/ }],
  ["during a statement", { endsAt: /./ }],
])("if PostgreSQL closes connections %s, the Node.js process keeps running", async (_moment, script) => {
  const postgres = await startFakePostgres([script]);
  const child = spawn(process.execPath, [useConnections, String(postgres.port)], { timeout: 30_000 });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  await postgres.stop();

  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.trim().split("\n")).toHaveLength(6);
});
