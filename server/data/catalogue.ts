import type { Pool } from "pg";
import { retryRepeatable } from "#server/database/reconnect";
import { Refusal } from "#server/http/refusal";
import { readSchemas } from "./read-catalogue.ts";

export interface Column {
  name: string;
  /** The type as PostgreSQL writes it, fully qualified and quoted where it must be. */
  type: string;
  /** The default as an SQL expression, qualified likewise. */
  default: string | null;
}

export interface Table {
  schema: string;
  name: string;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly string[];
}

export interface Routine {
  schema: string;
  name: string;
  parameters: readonly { name: string; type: string; hasDefault: boolean }[];
  /** `rows` has columns of its own, `value` is one value, `nothing` is void. */
  returns: "rows" | "value" | "nothing";
  isSet: boolean;
  /** False for stable and immutable functions, which run in a read-only transaction. */
  isVolatile: boolean;
  /** Of the rows it returns; empty for a value. */
  columns: ReadonlyMap<string, Column>;
}

/** What a planner may name: nothing outside it ever reaches an SQL text. */
export interface Snapshot {
  findTable(schema: string, name: string): Table | undefined;
  findRoutines(schema: string, name: string): readonly Routine[];
}

export interface Catalogue {
  /** Plans on what is remembered; if that lacks something, once more on what the database says now. */
  plan<T>(work: (snapshot: Snapshot) => T): Promise<T>;
}

const missing = new Set(["PGRST202", "PGRST204", "PGRST205", "42703"]);

/** A stranger can ask for unknown tables all day; the catalogue is read again for that once in this time. */
const refreshMilliseconds = 5 * 1000;

/**
 * Remembers tables and functions of the exposed schemas. A new one is found by the first request that misses it;
 * one that went away makes PostgreSQL refuse the statement, so nothing has to listen for changes.
 */
export function rememberCatalogue(pool: Pool, schemas: readonly string[], now: () => number = Date.now): Catalogue {
  let read: Promise<Snapshot> | undefined;
  let readAt = 0;

  function refresh(): Promise<Snapshot> {
    readAt = now();
    const reading = readSchemas(pool, schemas).catch((error: unknown) => {
      // A database that was gone for a moment must not be remembered as empty.
      if (read === reading) read = undefined;
      throw error;
    });
    read = reading;
    return reading;
  }

  return {
    async plan(work) {
      try {
        // Many may wait for one reading, which ends with the request that began it: then another one begins anew.
        return work(await retryRepeatable(pool, async () => read ?? refresh()));
      } catch (error) {
        const isMiss = error instanceof Refusal && missing.has(error.code);
        if (!isMiss || now() - readAt < refreshMilliseconds) throw error;
        return work(await refresh());
      }
    },
  };
}
