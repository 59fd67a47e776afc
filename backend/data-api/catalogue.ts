import type { Pool } from "pg";
import { queryInTransaction } from "#backend/database/transaction";
import { Refusal } from "#backend/http/refusal";

export interface Column {
  name: string;
  /** The type as PostgreSQL writes it: quoted where needed, and with its schema unless it is built in. */
  type: string;
}

/** A table, or what a function returns: then `columns` are those of its rows, and empty for a value. */
export interface Table {
  name: string;
  columns: readonly Column[];
}

export interface Routine extends Table {
  parameters: readonly (Column & { hasDefault: boolean })[];
  /** `rows`: rows with columns. `value`: a single value, or a set of them. `nothing`: the function returns void. */
  returns: "rows" | "value" | "nothing";
  isSet: boolean;
  /** False for stable and immutable functions, which run in a read-only transaction. */
  isVolatile: boolean;
}

/** The tables and functions of schema `public`. A statement may name no others. */
export interface Snapshot {
  tables: readonly Table[];
  routines: readonly Routine[];
}

const codesOfMissingNames = new Set(["PGRST202", "PGRST204", "PGRST205", "42703"]);

/** A request with an unknown name makes the server read the catalogue again, but at most once in this time. */
const refreshMilliseconds = 5 * 1000;

/**
 * Caches the tables and functions of schema `public`. Returns what runs `work` on them, and once more on a new snapshot if
 * a name is missing. So it needs no listener for changes: PostgreSQL itself refuses a statement that names a dropped table
 * or function.
 */
export function createCatalogue(pool: Pool, now: () => number = () => performance.now()) {
  let cached: Promise<Snapshot> | undefined;
  let readAt = 0;

  function refresh(): Promise<Snapshot> {
    readAt = now();
    const reading = readSchema(pool);
    // A failed read must not stay in the cache, otherwise all later requests would fail with its error.
    reading.catch(() => {
      if (cached === reading) cached = undefined;
    });
    cached = reading;
    return reading;
  }

  return async <T>(work: (snapshot: Snapshot) => T): Promise<T> => {
    try {
      // Concurrent requests share one read.
      return work(await (cached ?? refresh()));
    } catch (error) {
      const isMiss = error instanceof Refusal && codesOfMissingNames.has(error.code);
      if (!isMiss || now() - readAt < refreshMilliseconds) throw error;
      return work(await refresh());
    }
  };
}

/**
 * Reads all tables and functions, also those that a caller has no right to: when the statement runs,
 * PostgreSQL's grants and policies decide (docs/protocol.md#exposed-relations).
 */
async function readSchema(pool: Pool): Promise<Snapshot> {
  const statement = {
    text: `select (select coalesce(json_agg(t), '[]') from (${tablesSql}) as t) as tables,
                  (select coalesce(json_agg(r), '[]') from (${routinesSql}) as r) as routines`,
    values: [],
  };
  const { rows } = await queryInTransaction<Snapshot>(pool, settings, statement);
  return rows[0] ?? { tables: [], routines: [] };
}

// With this search path PostgreSQL writes every type with its schema. Otherwise the search path of a later statement
// could make a name mean another object.
const settings = { text: "select where set_config('search_path', 'pg_catalog', true) is null", values: [] };

const columnsOf = (relation: string) => `
  coalesce((select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
              from pg_attribute where attrelid = ${relation} and attnum > 0 and not attisdropped), '[]')`;

const tablesSql = `
  select c.relname::text as name, ${columnsOf("c.oid")} as columns
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')`;

// Leaves out trigger functions, which only PostgreSQL calls, and functions with unnamed parameters, because callers name
// their arguments.
const routinesSql = `
  select p.proname::text as name, p.proretset as "isSet", p.provolatile = 'v' as "isVolatile",
      case when t.oid = 'void'::regtype then 'nothing'
           when t.typtype = 'c' or t.oid = 'record'::regtype or a.columns is not null then 'rows'
           else 'value' end as returns,
      coalesce(a.columns, ${columnsOf("t.typrelid")}) as columns, coalesce(a.parameters, '[]') as parameters
  from pg_proc p
  join pg_type t on t.oid = p.prorettype
  cross join lateral (
    select json_agg(parameter order by place) filter (where mode in ('t', 'o', 'b')) as columns,
        json_agg(parameter order by place) filter (where coalesce(mode, 'i') in ('i', 'b', 'v')) as parameters
      from unnest(p.proargnames, coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes)
             with ordinality as u (name, type, mode, place),
           json_build_object('name', name, 'type', format_type(type, -1),
             'hasDefault', pg_get_function_arg_default(p.oid, place::int) is not null) as parameter) as a
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
    and t.oid not in ('trigger'::regtype, 'event_trigger'::regtype) and (p.pronargs = 0 or p.proargnames is not null)`;
