import { z } from "zod";

/** The last entry of the file. Without it, and the directory of the ZIP behind it, a file is not complete. */
export const manifestName = "manifest.json";

/** `checksum` is the SHA-256 of the text of COPY, ordered by primary key. */
const table = z.object({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.int().nonnegative(),
  checksum: z.string(),
});

/** The next number of an identity column. It is as text, because it may have more than 53 bits. */
const sequence = z.object({ table: z.string(), column: z.string(), value: z.string(), isCalled: z.boolean() });

export const manifestSchema = z.object({
  format: z.literal("fernway-backup"),
  version: z.literal(1),
  takenAt: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.object({
    bootstrap: z.array(z.string()),
    schema_migrations: z.array(z.string()),
    server_migrations: z.array(z.string()),
  }),
  tables: z.array(table),
  sequences: z.array(sequence),
});

/** What a backup says about itself. */
export type Manifest = z.infer<typeof manifestSchema>;
export type TableSummary = Manifest["tables"][number];
