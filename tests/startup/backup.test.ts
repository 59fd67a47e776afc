import { expect, inject, test } from "vitest";
import { runBackup } from "../../bench/backup/run.ts";

test("a backup under load, restored elsewhere after a killed restore: all contacts of its moment, and the login", async () => {
  const { figures, problems } = await runBackup({
    ...{ seeded: 0, perSecond: 50, seconds: 1 },
    copyOf: inject("preparedDataDir"),
  });
  expect(problems).toEqual([]);
  expect(figures["acknowledged before the backup"]).toBeGreaterThan(0);
}, 120_000);
