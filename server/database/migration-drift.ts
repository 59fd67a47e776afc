import type { ClientBase } from "pg";
import {
  bootstrapDir,
  fileName,
  type Migration,
  migrationsDir,
  readMigrations,
  serverMigrationsDir,
} from "./migration-files.ts";
import { isHosted } from "./migration-history.ts";

/** How the database differs from the files: the names of migrations. */
export interface Drift {
  /** Not applied yet: the next start applies them. */
  missing: string[];
  /** Applied, but not among the files. */
  unknown: string[];
  /** Changed after they had been applied. */
  edited: string[];
}

/** A row of a history. */
export interface Applied {
  version: string;
  name: string;
  statements: string[] | null;
}

export function compareMigrations(migrations: readonly Migration[], applied: readonly Applied[]): Drift {
  const appliedTo = ({ version }: Migration) => applied.find((candidate) => candidate.version === version);
  return {
    missing: migrations.filter((migration) => !appliedTo(migration)).map(fileName),
    unknown: applied
      .filter(({ version }) => !migrations.some((migration) => migration.version === version))
      .map(({ version, name }) => `${version}_${name}`),
    edited: migrations
      .filter((migration) => {
        const { statements } = appliedTo(migration) ?? {};
        return statements && normalize(statements.join(";\n")) !== normalize(migration.sql);
      })
      .map(fileName),
  };
}

/** Compares the database with the files, and changes nothing. */
export async function findDrift(db: Pick<ClientBase, "query">): Promise<Drift> {
  const histories = [{ table: "schema_migrations", dir: migrationsDir }];
  if (!(await isHosted(db)))
    histories.unshift(
      { table: "bootstrap", dir: bootstrapDir },
      { table: "server_migrations", dir: serverMigrationsDir },
    );

  const drift: Drift = { missing: [], unknown: [], edited: [] };
  for (const { table, dir } of histories) {
    const history = `supabase_migrations.${table}`;
    const { rows } = await db.query("select to_regclass($1) is not null as exists", [history]);
    const applied = rows[0].exists ? (await db.query(`select version, name, statements from ${history}`)).rows : [];
    const { missing, unknown, edited } = compareMigrations(await readMigrations(dir), applied);
    drift.missing.push(...missing);
    drift.unknown.push(...unknown);
    drift.edited.push(...edited);
  }
  return drift;
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
