import { z } from "zod";
import { histories } from "#server/database/migration-files";

/** The last entry of the file. Without it, and the directory of the ZIP behind it, a file is not complete. */
export const manifestName = "manifest.json";

/** Names as the migrations make them. A forged file must not reach PostgreSQL with others. */
const column = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const relation = z.string().regex(/^[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*$/);
const versions = z.array(z.string().regex(/^\d+$/));

/** `checksum` is the SHA-256 of the text of COPY, ordered by primary key. */
const table = z.object({
  name: relation,
  columns: z.array(column).min(1),
  rows: z.int().nonnegative(),
  checksum: z.string(),
});

export const manifestSchema = z.object({
  format: z.literal("fernway-backup"),
  version: z.literal(2),
  takenAt: z.iso.datetime(),
  /** The version of the code that wrote it; unknown before 1.0.0. */
  writtenBy: z.string().optional(),
  postgres: z.string(),
  migrations: z.record(z.enum(histories), versions),
  tables: z.array(table),
});

/** What a backup says about itself. */
export type Manifest = z.infer<typeof manifestSchema>;
export type TableSummary = Manifest["tables"][number];
