import type { ClientBase } from "pg";
import type { Claims } from "#backend/database/as-caller";
import { createUser, service, type TestDatabase, type TestUser, visitor } from "../support/database.ts";
import {
  type Answer,
  type Attempt,
  asSection,
  type Cells,
  columnSection,
  extent,
  share,
  tryEach,
} from "./access-attempts.ts";
import { type Access, nothing, type Section } from "./access-document.ts";
import { type Inventory, probeSchema, quoted, type Relation, selectAll } from "./access-inventory.ts";

export interface People {
  user: TestUser;
  admin: TestUser;
}

/** Stores rows of other people, and creates an account without a role and one of an admin. */
export async function seed(database: TestDatabase): Promise<People> {
  const user = await createUser(database);
  const admin = await createUser(database, { admin: true });
  await database.owner.query(
    `insert into public.contacts (name, email, interest, submitted_at)
     select 'Bystander', 'bystander' || week || '@example.com', 'consulting', now() - make_interval(weeks => week)
     from generate_series(0, 11) week`,
  );
  await database.owner.query(
    `update private.jobs set created_at = now() - interval '1 hour', last_error = 'No.', attempts = 1
     where id = (select min(id) from private.jobs)`,
  );
  return { user, admin };
}

/** Rows that a caller with the right may add. A table that a caller may insert into needs one here. */
export function additionsOf({ user }: People): Readonly<Record<string, object>> {
  return {
    "public.contacts": { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" },
    "public.user_roles": { user_id: user.id, role: "admin" },
  };
}

/** The callers as the server introduces them to the database, by their columns in docs/access.md. */
export function callersOf(database: TestDatabase, { user, admin }: People): Record<string, Attempt<string>> {
  const as =
    (claims: Claims): Attempt<string> =>
    (statements) =>
      database.as(claims, (db) => runAndUndo(db, statements));
  return { anon: as(visitor), user: as(user.claims), admin: as(admin.claims), service: as(service) };
}

/** The login of the server before it takes the role of a caller. */
export function loginOf({ caller }: TestDatabase): Attempt<string> {
  return async (statements) => {
    const db = await caller.connect();
    await db.query("begin");
    const answers = await runAndUndo(db, statements);
    await db.query("rollback");
    db.release();
    return answers;
  };
}

/** Finds out by trying what each caller may do with each object. Nothing of it stays. */
export async function observeDatabase(
  { relations, routines, sequences, schemas }: Inventory,
  callers: Readonly<Record<string, Attempt<string>>>,
  additions: Readonly<Record<string, object>>,
): Promise<Access> {
  const columns = await forEachCaller(callers, (attempt) => tryColumns(relations, attempt));
  return new Map([
    [
      "Tables and views",
      asSection(
        relations,
        await forEachCaller(callers, (attempt, caller) =>
          tryRelations(relations, attempt, columns[caller] ?? new Map(), additions),
        ),
        ({ kind }) => ({ Kind: kind }),
      ),
    ],
    ["Columns", columnSection(relations, columns)],
    [
      "Functions and sequences",
      new Map([
        ...asSection(
          routines,
          await forEachCaller(callers, (attempt) => tryEach(routines, attempt, ({ call }) => ({ execute: call }))),
          ({ rights }) => ({ "Rights of": rights }),
        ),
        ...asSection(
          sequences,
          await forEachCaller(callers, (attempt) => tryEach(sequences, attempt, onSequence)),
          () => ({ "Rights of": nothing }),
        ),
      ]),
    ],
    [
      "Database and schemas",
      asSection(
        ["database", ...schemas],
        await forEachCaller(callers, (attempt) => tryEach(["database", ...schemas], attempt, onSchema)),
      ),
    ],
  ]);
}

/** The attributes of the roles, and which other roles each of them can become with `set role`. */
export async function observeRoles({ owner }: TestDatabase, { roles }: Inventory): Promise<Section> {
  const { rows } = await owner.query<{ name: string; attributes: string[] }>(
    `select rolname as name, array_remove(array[
       case when rolsuper then 'superuser' end, case when rolcanlogin then 'login' end,
       case when rolinherit then 'inherit' end, case when rolbypassrls then 'bypassrls' end,
       case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
       case when rolreplication then 'replication' end], null) as attributes
     from pg_roles where rolname in ('authenticator', 'anon', 'authenticated', 'service_role')`,
  );
  const db = await owner.connect();
  const section = new Map<string, Record<string, string>>();
  for (const { name, attributes } of rows) {
    await db.query("begin");
    await db.query(`set local session authorization ${name}`);
    const others = roles.filter((role) => role !== name);
    const answers = await runAndUndo(
      db,
      others.map((role) => `set local role ${quoted(role)}`),
    );
    await db.query("rollback");
    const becomes = others.filter((_, index) => typeof answers[index] === "number");
    section.set(name, {
      Attributes: attributes.join(", ") || nothing,
      "May become": becomes.join(", ") || nothing,
    });
  }
  db.release();
  return section;
}

/** A statement that touches no row proves the right to the column: no constraint or trigger can refuse before. */
function tryColumns(relations: readonly Relation[], attempt: Attempt<string>): Promise<Cells> {
  const targets = relations.flatMap(({ name: table, columns, generated }) =>
    columns.map((column) => ({ name: `${table}.${column}`, table, column, generated: generated.includes(column) })),
  );
  return tryEach(targets, attempt, ({ table, column, generated }) => ({
    select: `select count(${quoted(column)}) from ${table}`,
    insert: generated
      ? `insert into ${table} (${quoted(column)}) values (default)`
      : `insert into ${table} (${quoted(column)}) overriding system value select null where false`,
    update: `update ${table} set ${quoted(column)} = default where false`,
  }));
}

async function tryRelations(
  relations: readonly Relation[],
  attempt: Attempt<string>,
  columnCells: Cells,
  additions: Readonly<Record<string, object>>,
): Promise<Cells> {
  const attemptsAt = (relation: Relation) => {
    const { name } = relation;
    const columnsTo = (verb: string) =>
      relation.columns.filter((column) => columnCells.get(`${name}.${column}`)?.includes(verb));
    return {
      ...(columnsTo("select").length > 0 && { select: selectAll(name, columnsTo("select")) }),
      ...(columnsTo("insert").length > 0 && { insert: insertOf(name, additions[name] ?? {}) }),
      ...(columnsTo("update").length > 0 && {
        update: `update ${name} set ${columnsTo("update").map((column) => `${quoted(column)} = ${relation.generated.includes(column) ? "default" : quoted(column)}`)}`,
      }),
      ...onWholeRelation(relation),
    };
  };
  const cells = await tryEach(relations, attempt, attemptsAt, describe);
  return new Map([...cells].map(([name, cell]) => [name, cell === everyVerb ? "everything" : cell]));
}

const everyVerb = "select all, insert, update all, delete all, truncate, reference, trigger, maintain";

function describe(verb: string, answer: Answer, { rows }: Relation): string {
  if (verb === "select") return `select ${extent(answer, rows)}`;
  if (verb === "update" || verb === "delete")
    return `${verb} ${typeof answer === "number" ? share(answer, rows.length) : answer}`;
  // Only a stored row shows that no policy refuses it. Add an example of this table to `additionsOf`.
  if (verb === "insert" && answer !== 1) return `insert (${answer})`;
  return verb;
}

function onWholeRelation({ name, keyLength }: Relation) {
  const keys = Array.from({ length: keyLength }, (_, index) => `key${index}`);
  const reference = `create unlogged table ${probeSchema}.probe
    (${keys.map((key) => `${key} int`)}, foreign key (${keys}) references ${name})`;
  return {
    delete: `delete from ${name}`,
    truncate: `truncate ${name}`,
    // A foreign key to a table without a primary key is impossible.
    ...(keyLength > 0 && { reference }),
    trigger: `create trigger probe after insert on ${name} execute function suppress_redundant_updates_trigger()`,
    maintain: `reindex table ${name}`,
  };
}

function onSequence(name: string) {
  return {
    select: `select last_value from ${name}`,
    nextval: `select nextval('${name}')`,
    setval: `select setval('${name}', 1)`,
  };
}

function onSchema(name: string): Record<string, string> {
  if (name === "database")
    return { "create schemas": "create schema probe", "temporary tables": "create temporary table probe ()" };
  return { use: `select from ${name}.no_such_table`, create: `create table ${name}.probe ()` };
}

function insertOf(table: string, row: object): string {
  const values = Object.values(row).map((value) => `'${value}'`);
  return `insert into ${table} (${Object.keys(row).map(quoted)}) values (${values})`;
}

async function forEachCaller<Result>(
  callers: Readonly<Record<string, Attempt<string>>>,
  observe: (attempt: Attempt<string>, caller: string) => Promise<Result>,
): Promise<Record<string, Result>> {
  const results: Record<string, Result> = {};
  // One after the other, because a truncation locks its table.
  for (const [caller, attempt] of Object.entries(callers)) results[caller] = await observe(attempt, caller);
  return results;
}

/** Runs thousands of statements in three round trips: PostgreSQL itself runs each of them and undoes it. */
async function runAndUndo(db: ClientBase, statements: readonly string[]): Promise<Answer[]> {
  await db.query("select set_config('access.statements', $1, true)", [JSON.stringify(statements)]);
  await db.query(runEachAndUndo);
  const { rows } = await db.query<{ answers: string }>("select current_setting('access.answers') as answers");
  return JSON.parse(rows[0]?.answers ?? "[]");
}

const runEachAndUndo = `
do $$
declare
  statement text;
  answer    jsonb;
  changed   bigint;
  answers   jsonb := '[]';
begin
  for statement in select * from jsonb_array_elements_text(current_setting('access.statements')::jsonb) loop
    begin
      if statement like 'select coalesce(jsonb%' then
        execute statement into answer;
      else
        execute statement;
        get diagnostics changed = row_count;
        answer := to_jsonb(changed);
      end if;
      raise exception using errcode = 'UNDO1';
    exception when others then
      answers := answers || jsonb_build_array(case sqlstate when 'UNDO1' then answer else to_jsonb(sqlstate) end);
    end;
  end loop;
  perform set_config('access.answers', answers::text, true);
end
$$`;
