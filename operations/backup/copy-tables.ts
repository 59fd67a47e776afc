import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ClientBase, escapeIdentifier } from "pg";
import { from, to } from "pg-copy-streams";
import { classifyDatabaseError } from "#backend/database/errors";
import { liftTimeLimits } from "#backend/database/transaction";
import { StartError } from "#process/start-error";
import type { TableSummary } from "./manifest.ts";

/** A table with its columns, without those that PostgreSQL generates. */
export interface Table {
  /** As SQL: with its schema, and quoted where it must be. */
  name: string;
  columns: string[];
}

/** Called for each 64 KB of text, with what is done and the rows of the table so far. The copy goes on when it resolves. */
export type Progress = (doing: string, rows: number) => unknown;

const copySettings = {
  // What the text of a COPY depends on. All servers then write the same text for the same rows.
  client_encoding: "UTF8",
  timezone: "UTC",
  datestyle: "ISO, YMD",
  intervalstyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  // PostgreSQL refuses a table of which a policy hides rows, instead of leaving them out.
  row_security: "off",
  // What waits for it says so.
  application_name: "backup or restore",
};

/** Begins a transaction for COPY. Its settings end with it, so a pooler in transaction mode may stand between. */
export async function beginCopying(db: ClientBase, kind: "isolation level repeatable read, read only" | "") {
  await db.query(`begin ${kind}`);
  await liftTimeLimits(db);
  await db.query(
    "select set_config(name, $1::jsonb ->> lower(name), true) from pg_settings where $1::jsonb ? lower(name)",
    [copySettings],
  );
}

/** What an operator can mend, such as a full disk of PostgreSQL or its end, as a `StartError`; a bug as it is. */
export function explainCopyError(problem: string, error: unknown): unknown {
  const isBug = error instanceof StartError || classifyDatabaseError(error) === "bug";
  return isBug ? error : new StartError(`${problem}: ${(error as Error).message}.`, error);
}

/** Where our tables are, and those that an operator or an extension has added there. */
export const allSchemas = ["auth", "public", "private"];

/**
 * The tables of these schemas in the order of their creation, so that each comes after those that it refers to. PostgreSQL
 * empties an unlogged table after a crash, so nothing in it is worth a backup: limits that are over within hours.
 */
export async function readTables(db: ClientBase, schemas: readonly string[]): Promise<Table[]> {
  const { rows } = await db.query<Table>(
    `select n.nspname || '.' || quote_ident(c.relname) as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where n.nspname = any ($1) and c.relkind = 'r' and c.relpersistence = 'p'
     group by c.oid, n.nspname, c.relname
     order by c.oid`,
    [schemas],
  );
  return rows;
}

export function sqlColumns(columns: readonly string[]): string {
  return columns.map(escapeIdentifier).join(", ");
}

/** The text of COPY with the rows of a table, ordered as texts: the same order in every database, with a key or without. */
export function copyOut(db: ClientBase, { name, columns }: Table): Readable {
  const list = sqlColumns(columns);
  // The rows of tables that inherit from it are theirs.
  return db.query(to(`copy (select ${list} from only ${name} order by row(${list})::text collate "C") to stdout`));
}

/**
 * Loads the text of COPY into a table. False after a line `\.`, which no backup of ours has: PostgreSQL leaves the rest of
 * the text out without an error.
 */
export async function copyIn(
  db: ClientBase,
  { name, columns }: Table,
  text: Readable | readonly Buffer[],
  ...progress: [string, Progress]
): Promise<boolean> {
  const { count, result } = rowCounter(...progress);
  const copy = from(`copy ${name} (${sqlColumns(columns)}) from stdin`);
  await pipeline(text, count, db.query(copy));
  return copy.rowCount === result().rows;
}

const newline = 0x0a;
const pieceBytes = 64 * 1024;

/**
 * A step of a pipeline that passes the text of COPY on, and counts its rows and its checksum. COPY writes a newline inside
 * a text as `\n`, so each newline ends a row.
 */
export function rowCounter(doing: string, progress: Progress) {
  const hash = createHash("sha256");
  let rows = 0;
  async function* count(text: AsyncIterable<Buffer>) {
    for await (const piece of inPieces(text)) {
      hash.update(piece);
      for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) rows += 1;
      await progress(doing, rows);
      yield piece;
    }
  }
  return { count, result: () => ({ rows, checksum: hash.digest("hex") }) };
}

/** Larger chunks, which are less work for the next steps: PostgreSQL sends one per row. */
export async function* inPieces(text: AsyncIterable<Buffer>) {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of text) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
  }
  yield Buffer.concat(waiting);
}

/** Counts the rows of a table and their checksum from the text of COPY. */
export async function summarize(text: Readable, table: Table, ...progress: [string, Progress]): Promise<TableSummary> {
  const { count, result } = rowCounter(...progress);
  await pipeline(text, count, async (pieces) => {
    for await (const _ of pieces);
  });
  return { name: table.name, columns: table.columns, ...result() };
}
