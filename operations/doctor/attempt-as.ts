import { type ClientBase, DatabaseError, escapeLiteral, type QueryArrayResult } from "pg";
import { insufficientPrivilege } from "#backend/database/sqlstate-http-status";

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

/**
 * Runs the statement with the rights of this caller and undoes it at once, so that no visitor waits for its locks. All
 * in one round trip, because a database may be far away and there are dozens of attempts.
 */
export async function attemptAs(db: ClientBase, claims: Claims, statement: string): Promise<Answer> {
  const become = `select set_config('search_path', 'public, extensions', true), set_config('request.headers', '{}', true),
    set_config('request.jwt.claims', ${escapeLiteral(JSON.stringify(claims))}, true), set_config('role', '${claims.role}', true)`;
  const text = `savepoint attempt; ${become}; ${statement}; rollback to savepoint attempt`;
  try {
    const results: unknown = await db.query({ text, rowMode: "array" });
    return Number((results as QueryArrayResult[])[2]?.rows[0]?.[0]);
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code)) throw error;
    await db.query("rollback to savepoint attempt");
    return error.code;
  }
}

export function reason(answer: Answer | undefined): string {
  if (answer === insufficientPrivilege) return "the database refuses it (42501)";
  if (answer === "57014") return `it took longer than ${secondsMax} seconds`;
  return typeof answer === "number" ? `${answer} rows` : `error ${answer}`;
}
