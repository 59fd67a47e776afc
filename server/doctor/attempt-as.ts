import type { ClientBase } from "pg";
import { catalogOnly } from "#server/database/connections";
import { insufficientPrivilege } from "#server/database/sqlstate-http-status";

/** The number that a statement returned, or the code of its refusal. */
export type Answer = number | string;

export interface Claims {
  role: "anon" | "authenticated";
  sub?: string;
  email?: string;
  aal?: "aal2";
}

const secondsMax = 5;

/** Ends a statement that takes long or waits for a lock, so that nothing waits long for what the doctor has locked. */
export async function limitTime(db: ClientBase): Promise<void> {
  await db.query(`set local statement_timeout = '${secondsMax}s'; set local lock_timeout = '2s'`);
}

/** Answers how many rows a statement changed. */
export function counted(statement: string): string {
  return `with changed as (${statement} returning 1) select count(*) from changed`;
}

/** Runs each statement with the rights of this caller, and undoes it. */
export async function attemptAs(db: ClientBase, claims: Claims, statements: readonly string[]): Promise<Answer[]> {
  await db.query(
    `select set_config('search_path', 'public, extensions', true), set_config('request.jwt.claims', $1, true),
            set_config('request.headers', '{}', true), set_config('doctor.statements', $2, true)`,
    [JSON.stringify(claims), JSON.stringify(statements)],
  );
  await db.query(`set local role ${claims.role}; ${attemptEach}; reset role; set local search_path = ${catalogOnly}`);
  const { rows } = await db.query("select current_setting('doctor.answers')::json as answers");
  return rows[0].answers;
}

/** One round trip for all: the contacts of visitors wait for nothing that this transaction has locked. */
const attemptEach = `
do $$
declare
  statement text;
  answer    bigint;
  answers   jsonb := '[]';
begin
  for statement in select * from jsonb_array_elements_text(current_setting('doctor.statements')::jsonb) loop
    begin
      execute statement into answer;
      raise exception using errcode = 'UNDO1';
    exception when query_canceled or others then
      answers := answers || jsonb_build_array(case sqlstate when 'UNDO1' then to_jsonb(answer) else to_jsonb(sqlstate) end);
    end;
  end loop;
  perform set_config('doctor.answers', answers::text, true);
end
$$`;

/** An answer in words. */
export function reason(answer: Answer | undefined): string {
  if (answer === insufficientPrivilege) return "the database refuses it (42501)";
  if (answer === "57014") return `it took longer than ${secondsMax} seconds`;
  return typeof answer === "number" ? `${answer} rows` : `error ${answer}`;
}
