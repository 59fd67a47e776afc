import type { ClientBase, Pool } from "pg";
import { hashOf } from "#backend/auth/tokens/random-tokens";
import { removeJobsOfPerson } from "#server/jobs/queue";
import { isOwnLine } from "./collect-personal-data.ts";
import { findPerson, type Person, patternOf } from "./find-person.ts";

/** Stands where a name was removed from what others wrote. */
const erased = "(erased)";

/**
 * Deletes everything on a person, in the caller's transaction: contacts, account, sessions, log lines, jobs and limits.
 * What others did or wrote stays, without the address and the ids: a line of the log about a grant, a note in another
 * contact. Returns the tables in which the address or an id can still be found.
 */
export async function erasePerson(db: ClientBase, email: string): Promise<string[]> {
  const person = await findPerson(db, email);
  const { addresses, userIds, contactIds } = person;
  const run = (sql: string, ...values: unknown[]) => db.query(sql, values);

  await run("delete from private.contact_senders where contact_id = any ($1::uuid[])", contactIds);
  await run("delete from public.contacts where id = any ($1::uuid[])", contactIds);
  await removeNamesFrom(db, person, "public.contacts", { name: "text", company: "text", note: "text" });
  if (person.hasOwnAccounts) {
    for (const column of ["handled_by", "read_by", "note_by"])
      await run(`update public.contacts set ${column} = null where ${column} = any ($1::uuid[])`, userIds);
    await removeJobsOfPerson(db, contactIds, addresses);
    await removeNamesFrom(db, person, "private.jobs", { payload: "jsonb", last_error: "text" });
    // Its sessions, tokens, links and roles are deleted with an account. The end of a role writes a line of the
    // log, so the log comes after it.
    await run("delete from auth.users where email = any ($1)", addresses);
    // The address may be the one that another account wants to have.
    await run(
      `update auth.users set email_change = null, email_change_sent_at = null, email_change_confirmed_by = null
       where email_change = any ($1)`,
      addresses,
    );
    await run("delete from auth.rate_limits where key_hash = any ($1)", [...person.buckets.keys()].map(hashOf));
    await run(`delete from auth.audit_log_entries where ${isOwnLine}`, userIds, addresses);
    // A line from before a change of the address names the former one.
    await run(
      `update auth.audit_log_entries set payload = jsonb_set(payload, '{traits,user_email}', to_jsonb($2::text))
       where payload -> 'traits' ->> 'user_id' = any ($1::text[]) and payload -> 'traits' ? 'user_email'`,
      userIds,
      erased,
    );
    await removeNamesFrom(db, person, "auth.audit_log_entries", { payload: "jsonb" });
  }
  return findTablesNaming(db, person);
}

/** Replaces the address and the ids in texts of others. */
async function removeNamesFrom(
  db: ClientBase,
  person: Person,
  table: string,
  columns: Readonly<Record<string, "text" | "jsonb">>,
) {
  const changes = Object.entries(columns).map(
    ([column, type]) => `${column} = regexp_replace(${column}::text, $1, $2, 'gi')::${type}`,
  );
  await db.query(
    `update ${table} set ${changes.join(", ")} where concat_ws(' ', ${Object.keys(columns).join(", ")}) ~* $1`,
    [patternOf(person), erased],
  );
}

/** Searches every table of our schemas; a table that a later version adds is searched as well. */
async function findTablesNaming(db: ClientBase, person: Person): Promise<string[]> {
  const found: string[] = [];
  for (const name of await tablesOf(db, person)) {
    const { rowCount } = await db.query(`select from ${name} t where t::text ~* $1 limit 1`, [patternOf(person)]);
    if (rowCount) found.push(name);
  }
  return found;
}

/** Removes the deleted rows from the files, and their values from the statistics of tables with rows. Call it after the commit. */
export async function removeTraces(owner: Pool, person: Person) {
  await owner.query(`vacuum (analyze) ${(await tablesOf(owner, person)).join(", ")}`);
}

async function tablesOf(db: Pick<Pool | ClientBase, "query">, person: Person): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select oid::regclass::text as name from pg_catalog.pg_class
     where relkind = 'r' and relnamespace = any ($1::regnamespace[]) order by 1`,
    [["public", "private", ...(person.hasOwnAccounts ? ["auth"] : [])]],
  );
  return rows.map(({ name }) => name);
}
