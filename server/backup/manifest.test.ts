import { expect, test } from "vitest";
import { manifestSchema } from "./manifest.ts";

const table = { name: "public.contacts", columns: ["id"], rows: 1, checksum: "5f" };
const manifest = {
  ...{ format: "fernway-backup", version: 2, takenAt: "2026-11-22T03:30:00Z", postgres: "18.4" },
  migrations: { bootstrap: ["0001"], schema_migrations: [], server_migrations: [] },
  tables: [table],
};

test("a manifest names tables, columns and migrations as migrations do", () => {
  expect(manifestSchema.safeParse(manifest).success).toBe(true);
});

test.each([
  { tables: [{ ...table, name: 'public.contacts"; drop table x' }] },
  { tables: [{ ...table, name: "contacts" }] },
  { tables: [{ ...table, columns: ['id") from stdin; --'] }] },
  { migrations: { ...manifest.migrations, bootstrap: ["0001'"] } },
])("a forged manifest with %j is refused", (forged) => {
  expect(manifestSchema.safeParse({ ...manifest, ...forged }).success).toBe(false);
});
