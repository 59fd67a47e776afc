import { randomBytes, randomUUID } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import { insufficientPrivilege } from "#server/database/sqlstate-http-status";
import { type Answer, attemptAs, type Claims, counted, limitTime, reason } from "./attempt-as.ts";
import { broken, type Candidate, type Finding, findingsOf, listOf, look, ok } from "./finding.ts";
import { closedSchemas, findOpenRights, readableRelations } from "./privileges.ts";

/** Rows that exist only in the doctor's own transaction. */
interface Marker {
  /** In the email address of each of them. */
  text: string;
  contactId: string;
  userId: string;
  adminId: string;
}

interface Attempt {
  statement: string;
  /** The answer is the number that the statement returned, or the code of its refusal. */
  judge(answer: Answer): Candidate;
}

/**
 * Tries as a stranger, as a user and as an admin what each may do with contacts, accounts and roles. Contacts and
 * accounts of its own make an answer of no rows mean something. All happens in one transaction that is rolled back; only
 * the sequence of `private.jobs` goes on by one, because PostgreSQL never takes a sequence back.
 */
export async function checkAccess(owner: Pool): Promise<Finding[]> {
  const db = await owner.connect();
  try {
    await db.query("begin");
    await limitTime(db);
    if (!(await mayBecomeCallers(db))) return [cannotBecome];
    const marker = await storeMarker(db);
    const stranger: Claims = { role: "anon" };
    const user = claimsOf(marker.userId, marker);
    const problems = [
      ...(await findOpenRights(db)),
      ...(await tryAs(db, stranger, [
        ...attemptsOfStranger(marker),
        ...(await readsOf(db, "A stranger", stranger, marker)),
      ])),
      ...withoutConsequences(
        await tryAs(db, user, [
          ...attemptsOfUser(marker),
          ...(await readsOf(db, "A user without a role", user, marker)),
        ]),
      ),
      ...(await tryAs(db, claimsOf(marker.adminId, marker), attemptsOfAdmin(marker))),
    ];
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

/** The owner who made the roles may let itself become them. The rollback takes that back. */
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

async function tryAs(db: ClientBase, claims: Claims, attempts: readonly Attempt[]): Promise<Finding[]> {
  const answers = await attemptAs(
    db,
    claims,
    attempts.map(({ statement }) => statement),
  );
  // Two attempts may show the same problem.
  return [...new Set(findingsOf(...attempts.map(({ judge }, index) => judge(answers[index] as Answer))))];
}

function attemptsOfStranger({ text }: Marker): Attempt[] {
  return [
    {
      statement: counted(
        `insert into public.contacts (name, company, email, interest)
         values ('Doctor', 'Doctor', '${text}-form@doctor.invalid', 'consulting')`,
      ),
      judge: (stored) =>
        stored !== 1 &&
        broken(
          `A stranger cannot send a contact: ${reason(stored)}.`,
          "See the rights and policies of public.contacts in docs/access.md; the contact form fails until they are back.",
        ),
    },
    mayNotCall("A stranger", "has_role", "select public.has_role(gen_random_uuid(), 'admin')::int"),
    ...inboxCalls("A stranger"),
  ];
}

const everyoneIsAdmin = broken(
  "has_role takes a user without a role for an admin, so every user reads the contacts.",
  "Restore public.has_role from supabase/migrations.",
);

/** Whatever else a user can do then follows from it. */
function withoutConsequences(problems: Finding[]): Finding[] {
  return problems.includes(everyoneIsAdmin) ? [everyoneIsAdmin] : problems;
}

function attemptsOfUser({ userId, adminId, contactId }: Marker): Attempt[] {
  const closed = (statement: string, problem: Finding): Attempt => ({
    statement,
    judge: (answer) => typeof answer === "number" && answer > 0 && problem,
  });
  const changes = broken("A user without a role can change or delete contacts.", policyTodo);
  return [
    closed(`select public.has_role('${userId}', 'admin')::int`, everyoneIsAdmin),
    closed(
      `select public.has_role('${adminId}', 'admin')::int`,
      broken(
        "has_role tells a user about other accounts.",
        "Restore public.has_role, which must answer only about the caller.",
      ),
    ),
    closed(counted(`update public.contacts set state = 'archived' where id = '${contactId}'`), changes),
    closed(counted(`delete from public.contacts where id = '${contactId}'`), changes),
    ...inboxCalls("A user without a role"),
  ];
}

function attemptsOfAdmin({ adminId, contactId, text }: Marker): Attempt[] {
  const may = (what: string, statement: string): Attempt => ({
    statement,
    judge: (answer) =>
      answer !== 1 &&
      broken(
        `An admin cannot ${what}: ${reason(answer)}.`,
        "See the column “admin” in docs/access.md; the inbox fails until those rights and policies are back.",
      ),
  });
  return [
    may("be recognised by has_role", `select public.has_role('${adminId}', 'admin')::int`),
    may("read a contact", `select count(*) from public.contacts where id = '${contactId}'`),
    may("find a contact, by search_contacts", `select count(*) from public.search_contacts('${text}', '{spam}')`),
    may("change a contact", counted(`update public.contacts set state = 'archived' where id = '${contactId}'`)),
  ];
}

const inboxCalls = (who: string) => [
  mayNotCall(who, "search_contacts", "select count(*) from public.search_contacts('')"),
  mayNotCall(who, "inbox_news", "select count(*) from public.inbox_news()"),
];

function mayNotCall(who: string, name: string, statement: string): Attempt {
  return {
    statement,
    judge: (answer) =>
      typeof answer === "number" &&
      broken(`${who} may call ${name}.`, "Its row in docs/access.md says who may call it."),
  };
}

const policyTodo =
  "Row-level security must be on, and the policies those of supabase/migrations: drop the one that lets everyone in.";

/** Reads whatever this caller may read, and looks for the marker in it. Views have the rights of their owner. */
async function readsOf(db: ClientBase, who: string, { role }: Claims, marker: Marker): Promise<Attempt[]> {
  const { adminId, contactId, text } = marker;
  const marks = [text, contactId, adminId].map((mark) => `'%${mark}%'`);
  const relations = await readableRelations(db, role);
  return relations.map(({ name, columns, isView, showsCounts }) => ({
    statement: showsCounts
      ? `select count(*) from ${name}`
      : `select count(*) from ${name} where row(${columns})::text like any (array[${marks}])
           and row(${columns})::text not like '%${text}-%'`,
    judge(answer) {
      if (answer === 0 || answer === insufficientPrivilege) return undefined;
      if (typeof answer === "string")
        return look(`Whether ${who} reads ${name} could not be tried: ${reason(answer)}.`, "Try it by hand.");
      return broken(
        `${who} reads other people's rows in ${name}.`,
        isView && !showsCounts
          ? `Take the view away from callers, or let it check them: alter view ${name} set (security_invoker = true);`
          : policyTodo,
      );
    },
  }));
}

function claimsOf(id: string, { text }: Marker): Claims {
  return { role: "authenticated", sub: id, email: `${text}@doctor.invalid`, aal: "aal2" };
}
