import { z } from "zod";
import { histories } from "#backend/database/migrations";

/** The last entry of the file. Without it, and the directory of the ZIP behind it, a file is not complete. */
export const manifestName = "manifest.json";

/** The entry with the rows of a table. The name of a table may hold what no file in a ZIP may: `/`, `\\`, `..`. */
export function entryName(table: string): string {
  return `${encodeURIComponent(table)}.copy`;
}

/**
 * The names are an operator's too, so any is allowed: a restore writes into tables and columns of its database only, and
 * names them as that database does. `checksum` is the SHA-256 of the text of COPY, ordered as text.
 */
const table = z.object({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.int().nonnegative(),
  checksum: z.string(),
});

export const manifestSchema = z.object({
  format: z.literal("fernway-backup"),
  version: z.literal(2),
  takenAt: z.iso.datetime(),
  /** The version of the code that wrote it. */
  writtenBy: z.string(),
  postgres: z.string(),
  migrations: z.record(z.enum(histories), z.array(z.string().regex(/^\d+$/))),
  tables: z.array(table),
});

/** What a backup says about itself. */
export type Manifest = z.infer<typeof manifestSchema>;
export type TableSummary = Manifest["tables"][number];
