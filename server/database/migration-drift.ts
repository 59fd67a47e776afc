import type { ClientBase } from "pg";
import { fileName, histories, type Migration, readMigrations } from "./migration-files.ts";
import { isHosted, readHistories } from "./migration-history.ts";

/** How the database differs from the files: the names of migrations. */
export interface Drift {
  /** Not applied yet: the next start applies them. */
  missing: string[];
  /** Applied, but not among the files. */
  unknown: string[];
  /** Changed after they had been applied. */
  edited: string[];
}

/** Compares the database with the files, and changes nothing. */
export async function findDrift(db: Pick<ClientBase, "query">): Promise<Drift> {
  const drift: Drift = { missing: [], unknown: [], edited: [] };
  const found = await readHistories(db);
  for (const history of (await isHosted(db)) ? (["schema_migrations"] as const) : histories) {
    const applied = new Map(found[history].map((row) => [row.version, row]));
    for (const migration of await readMigrations(history)) {
      const row = applied.get(migration.version);
      applied.delete(migration.version);
      if (!row) drift.missing.push(fileName(migration));
      else if (row.statements && isEdited(migration, row.statements)) drift.edited.push(fileName(migration));
    }
    drift.unknown.push(...[...applied.values()].map(({ version, name }) => `${version}_${name}`));
  }
  return drift;
}

function isEdited({ sql }: Migration, statements: readonly string[]): boolean {
  return normalize(statements.join(";\n")) !== normalize(sql);
}

/**
 * Matches a line comment (`--`). It also matches quoted text and block comments, because two hyphens inside them do not
 * begin a line comment.
 */
const quotedOrComment = /(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'|"(?:[^"]|"")*"|\/\*[\s\S]*?\*\/|--.*/g;

/**
 * Removes line comments, because they may be corrected later. Also removes white space and semicolons, because the
 * Supabase CLI records each statement separately.
 */
function normalize(sql: string): string {
  return sql.replace(quotedOrComment, (text) => (text.startsWith("--") ? "" : text)).replace(/[\s;]+/g, "");
}
