import { expect, test } from "vitest";
import { createDatabase } from "#tests/support/database";

const database = await createDatabase();

/** How PostgreSQL's types arrive: as JSON from the data API, and from the driver of the server. */
const inJson = { boolean: "boolean", number: "number", time: "string", bigint: "number", bytes: "string" };
const inServer = { ...inJson, time: "Date", bigint: "string", bytes: "Buffer" };
const kinds: Record<string, keyof typeof inJson> = {
  ...{ bool: "boolean", int2: "number", int4: "number", float8: "number" },
  ...{ int8: "bigint", bytea: "bytes", timestamptz: "time", date: "time" },
};

interface Column {
  table: string;
  name: string;
  type: string;
  is_null: boolean;
  /** The texts that a check constraint allows. */
  words: string[] | null;
}

const { rows: columns } = await database.owner.query<Column>(`
  select format('%s.%s', c.relnamespace::regnamespace, c.relname) as table, a.attname as name, t.typname as type,
    not a.attnotnull as is_null, (
      select array(select m[1] from regexp_matches(pg_get_constraintdef(k.oid), '''([^'']+)''::text', 'g') m)
      from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
        and pg_get_constraintdef(k.oid) ~ '= ANY \\(ARRAY\\['
    ) as words
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
  where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('auth', 'private', 'public')
    and a.attnum > 0 and not a.attisdropped
  order by 1, a.attnum`);

/** A new migration needs new types. */
const hint = "npm test -- tests/policies/row-types.test.ts --update";
const note = "// Written by tests/policies/row-types.test.ts from the catalogue of the database.\n\n";

test("the types of stored contacts in the pages are those of the database", async () => {
  const text = `${note}/** A row of \`contacts\`, as the data API sends it; times have the format of RFC 3339. */
export interface ContactRow {
${fieldsOf("public.contacts", inJson, "  ")}}
`;
  await expect(text, hint).toMatchFileSnapshot("../../site/supabase/contact-row.ts");
});

test("the types of rows in the server are those of the database", async () => {
  const files = {
    "backend/database/rows.ts": ["auth.mfa_factors", "auth.sessions", "auth.users"],
    "server/rows.ts": ["private.jobs", "public.contacts"],
  };
  for (const [file, tables] of Object.entries(files)) {
    const text = `${note}/** The rows of these tables, as the driver returns them. */
export interface Rows {
${tables.map((table) => `  "${table}": {\n${fieldsOf(table, inServer, "    ")}  };\n`).join("")}}
`;
    await expect(text, hint).toMatchFileSnapshot(`../../${file}`);
  }
});

function fieldsOf(wanted: string, types: typeof inJson, indent: string): string {
  return columns
    .filter(({ table }) => table === wanted)
    .map(({ name, type, is_null: isNull, words }) => {
      const kind = kinds[type];
      const plain = kind ? types[kind] : type.startsWith("json") ? "unknown" : "string";
      const exact = words?.map((word) => `"${word}"`).join(" | ") ?? plain;
      return `${indent}${name}: ${exact}${isNull && exact !== "unknown" ? " | null" : ""};\n`;
    })
    .join("");
}
