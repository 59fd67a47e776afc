import { randomBytes, randomUUID } from "node:crypto";
import { type ClientBase, DatabaseError, escapeLiteral, type Pool, type QueryArrayResult } from "pg";
import type { Claims } from "#backend/database/as-caller";
import { insufficientPrivilege } from "#backend/database/errors";
import { broken, type Finding, listOf, look, ok } from "./finding.ts";
import { closedSchemas, findOpenRights, readableRelations } from "./privileges.ts";

/** Rows that exist only in the doctor's own transaction. */
interface Marker {
  /** A random text in the email address of each row. */
  text: string;
  contactId: string;
  userId: string;
  adminId: string;
}

/** The number that a statement returned, or the code of its refusal. */
type Answer = number | string;

/** What a caller tries, and what it means if the answer is not right. */
interface Attempt {
  as: Claims;
  statement: string;
  isRight: (answer: Answer) => boolean;
  problem: (answer: Answer) => Finding;
}

/**
 * Tries as a stranger, as a user and as an admin what each may do with contacts, accounts and roles: in a database whose
 * rights were changed by hand, docs/access.md does not hold any more. It stores a contact and accounts first, because
 * reading nothing from an empty table would prove nothing. All happens in one transaction that is rolled back; only the
 * sequence of `private.jobs` goes on by one, because PostgreSQL never rolls one back.
 */
export async function checkAccess(owner: Pool): Promise<Finding[]> {
  const db = await owner.connect();
  try {
    await db.query("begin");
    // Nothing waits long for what the doctor has locked.
    await db.query(`set local statement_timeout = '${secondsMax}s'; set local lock_timeout = '2s'`);
    if (!(await mayBecomeCallers(db))) return [cannotBecome];
    const problems = await findOpenRights(db);
    const marker = await storeMarker(db);
    const attempts = [...attemptsOf(marker), ...(await readsOf(db, marker))];
    for (const { as, statement, isRight, problem } of attempts) {
      const answer = await attemptAs(db, as, statement);
      if (!isRight(answer)) problems.push(problem(answer));
    }
    return problems.length > 0 ? problems : allFine;
  } finally {
    // Ends the transaction even if the connection no longer takes a statement.
    await db.query("rollback").catch(() => {});
    db.release(true);
  }
}

const allFine = [
  ok("A stranger can send a contact, and reads, changes and deletes nothing."),
  ok("A user without a role reads no contact, no role and no account."),
  ok("An admin reads and changes contacts."),
  ok(`Nobody but the owner reaches the tables of ${listOf(closedSchemas)}. (All this was tried, and rolled back.)`),
];

const cannotBecome = look(
  "The access rules could not be tried, because the user of DATABASE_URL may not become the roles of callers.",
  "As a superuser: grant anon, authenticated to that user. Then run the doctor again.",
);

/** Grants the owner who made the roles the right to become them. The rollback undoes that. */
async function mayBecomeCallers(db: ClientBase): Promise<boolean> {
  await db.query("savepoint roles");
  for (const attempt of ["", "grant anon, authenticated to current_user; "]) {
    try {
      await db.query(`${attempt}set local role anon; set local role authenticated; reset role`);
      return true;
    } catch {
      await db.query("rollback to savepoint roles");
    }
  }
  return false;
}

async function storeMarker(db: ClientBase): Promise<Marker> {
  const text = `doctor-${randomBytes(6).toString("hex")}`;
  const [userId, adminId] = [randomUUID(), randomUUID()];
  await db.query(
    "insert into auth.users (id, email) values ($1, $3 || '-user@doctor.invalid'), ($2, $3 || '@doctor.invalid')",
    [userId, adminId, text],
  );
  await db.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [adminId]);
  // As spam it is not announced, which would also use up a number of the queue's sequence.
  const { rows } = await db.query(
    `insert into public.contacts (name, company, email, interest, state)
     values ('Doctor', 'Doctor', $1 || '@doctor.invalid', 'consulting', 'spam') returning id`,
    [text],
  );
  return { text, contactId: rows[0].id, userId, adminId };
}

const policyTodo =
  "Row-level security must be on, and the policies those of supabase/migrations: drop the one that lets everyone in. A view must have security_invoker, or be taken away from callers.";
const inboxTodo = "See the column “admin” in docs/access.md; the inbox fails until those rights and policies are back.";

function attemptsOf({ text, contactId, userId, adminId }: Marker): Attempt[] {
  const stranger = { role: "anon" } as const;
  const [user, admin] = [claimsOf(userId), claimsOf(adminId)];
  const values = `'Doctor', 'Doctor', '${text}-form@doctor.invalid', 'consulting'`;
  const send = `insert into public.contacts (name, company, email, interest) values (${values})`;
  const read = `select count(*) from public.contacts where id = '${contactId}'`;
  const change = counted(`update public.contacts set state = 'archived' where id = '${contactId}'`);
  const remove = counted(`delete from public.contacts where id = '${contactId}'`);
  const may = (as: Claims, statement: string, what: string, todo: string): Attempt => ({
    ...{ as, statement, isRight: (answer) => answer === 1 },
    problem: (answer) => broken(`${what}: ${reason(answer)}.`, todo),
  });
  const userMayNot = (statement: string, saw: string, todo: string): Attempt => ({
    ...{ as: user, statement, isRight: (answer) => answer === 0 || typeof answer === "string" },
    problem: () => broken(saw, todo),
  });
  return [
    may(
      stranger,
      counted(send),
      "A stranger cannot send a contact",
      "See the rights and policies of public.contacts in docs/access.md; the contact form fails until they are back.",
    ),
    userMayNot(
      `select public.has_role('${userId}', 'admin')::int`,
      "has_role takes a user without a role for an admin, so every user reads the contacts.",
      "Restore public.has_role from supabase/migrations.",
    ),
    userMayNot(change, "A user without a role can change contacts.", policyTodo),
    userMayNot(remove, "A user without a role can delete contacts.", policyTodo),
    may(admin, read, "An admin cannot read a contact", inboxTodo),
    may(admin, change, "An admin cannot change a contact", inboxTodo),
  ];
}

/** Reads whatever strangers and users may read, and looks for the marker in it. Views have the rights of their owner. */
async function readsOf(db: ClientBase, { text, contactId, userId, adminId }: Marker): Promise<Attempt[]> {
  const marks = [text, contactId, adminId].map((mark) => `'%${mark}%'`);
  const callers = [
    { as: { role: "anon" }, who: "A stranger" },
    { as: claimsOf(userId), who: "A user without a role" },
  ] as const;
  const attempts: Attempt[] = [];
  for (const { as, who } of callers)
    for (const { name, columns } of await readableRelations(db, as.role))
      attempts.push({
        as,
        statement: `select count(*) from ${name} where row(${columns})::text like any (array[${marks}])
          and row(${columns})::text not like '%${text}-%'`,
        isRight: (answer) => answer === 0 || answer === insufficientPrivilege,
        problem: (answer) =>
          typeof answer === "string"
            ? look(`Whether ${who} reads ${name} could not be tried: ${reason(answer)}.`, "Try it by hand.")
            : broken(`${who} reads other people's rows in ${name}.`, policyTodo),
      });
  return attempts;
}

function claimsOf(id: string): Claims {
  return { role: "authenticated", sub: id, aal: "aal2" };
}

/** Answers how many rows a statement changed. */
function counted(statement: string): string {
  return `with changed as (${statement} returning 1) select count(*) from changed`;
}

const secondsMax = 5;

/**
 * Runs the statement with the rights of this caller and undoes it at once, so that no visitor waits for its locks. All
 * in one round trip, because a database may be far away and there are dozens of attempts.
 */
async function attemptAs(db: ClientBase, claims: Claims, statement: string): Promise<Answer> {
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

function reason(answer: Answer): string {
  if (answer === insufficientPrivilege) return "the database refuses it (42501)";
  if (answer === "57014") return `it took longer than ${secondsMax} seconds`;
  return typeof answer === "number" ? `${answer} rows` : `error ${answer}`;
}
