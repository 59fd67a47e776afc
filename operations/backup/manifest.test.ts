import { expect, test } from "vitest";
import { manifestSchema } from "./manifest.ts";

const table = { name: "public.contacts", columns: ["id"], rows: 1, checksum: "5f" };
const manifest = {
  ...{ format: "fernway-backup", version: 2, takenAt: "2026-11-22T03:30:00Z", postgres: "18.4" },
  migrations: { bootstrap: ["0001"], schema_migrations: [], server_migrations: [] },
  tables: [table],
};

test.each([{}, { tables: [{ ...table, name: 'public."Orders of ""Ada"""', columns: ["Id", 'a"b.c'] }] }])(
  "a manifest with %j is read",
  (given) => {
    expect(manifestSchema.safeParse({ ...manifest, ...given }).success).toBe(true);
  },
);
