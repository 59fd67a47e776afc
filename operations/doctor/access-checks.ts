import { randomBytes, randomUUID } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import { insufficientPrivilege } from "#backend/database/sqlstate-http-status";
import { type Answer, attemptAs, type Claims, counted, limitTime, reason } from "./attempt-as.ts";
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

const stranger = "A stranger";
const user = "A user without a role";

/** What a caller tries, whether the answer is right, and what it means if not. */
type Attempt = readonly [
  statement: string,
  isRight: (answer: Answer) => boolean,
  problem: Finding | ((answer: Answer) => Finding),
];

const isOne = (answer: Answer) => answer === 1;
const isRefused = (answer: Answer) => typeof answer === "string";
const isNothing = (answer: Answer) => answer === 0 || typeof answer === "string";
const isHidden = (answer: Answer) => answer === 0 || answer === insufficientPrivilege;

/**
 * Tries as a stranger, as a user and as an admin what each may do with contacts, accounts and roles. It stores a
 * contact and accounts first, because reading nothing from an empty table would prove nothing. All happens in one
 * transaction that is rolled back; only the sequence of `private.jobs` goes on by one, because PostgreSQL never rolls
 * one back.
 */
export async function checkAccess(owner: Pool): Promise<Finding[]> {
  const db = await owner.connect();
  try {
    await db.query("begin");
    await limitTime(db);
    if (!(await mayBecomeCallers(db))) return [cannotBecome];
    const marker = await storeMarker(db);
    const { userId, adminId } = marker;
    const openRights = await findOpenRights(db);
    const asStranger = await tryAs(db, { role: "anon" }, [
      ...attemptsOfStranger(marker),
      ...(await readsOf(db, stranger, "anon", marker)),
    ]);
    const asUser = await tryAs(db, claimsOf(userId, marker), [
      ...attemptsOfUser(marker),
      ...(await readsOf(db, user, "authenticated", marker)),
    ]);
    const asAdmin = await tryAs(db, claimsOf(adminId, marker), attemptsOfAdmin(marker));
    // If every user counts as an admin, all other findings about users follow from that.
    const ofUser = asUser.includes(everyoneIsAdmin) ? [everyoneIsAdmin] : asUser;
    const problems = [...openRights, ...asStranger, ...ofUser, ...asAdmin];
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

/** Runs the attempts with the rights of this caller. Two of them may show the same problem. */
async function tryAs(db: ClientBase, claims: Claims, attempts: readonly Attempt[]): Promise<Finding[]> {
  const problems = new Set<Finding>();
  for (const [statement, isRight, problem] of attempts) {
    const answer = await attemptAs(db, claims, statement);
    if (!isRight(answer)) problems.add(typeof problem === "function" ? problem(answer) : problem);
  }
  return [...problems];
}

function attemptsOfStranger({ text }: Marker): Attempt[] {
  const contact = `'Doctor', 'Doctor', '${text}-form@doctor.invalid', 'consulting'`;
  return [
    [
      counted(`insert into public.contacts (name, company, email, interest) values (${contact})`),
      isOne,
      (answer) =>
        broken(
          `A stranger cannot send a contact: ${reason(answer)}.`,
          "See the rights and policies of public.contacts in docs/access.md; the contact form fails until they are back.",
        ),
    ],
    mayNotCall(stranger, "has_role(gen_random_uuid(), 'admin')"),
    ...inboxCalls.map((call) => mayNotCall(stranger, call)),
  ];
}

const everyoneIsAdmin = broken(
  "has_role takes a user without a role for an admin, so every user reads the contacts.",
  "Restore public.has_role from supabase/migrations.",
);
const tellsOfOthers = broken(
  "has_role tells a user about other accounts.",
  "Restore public.has_role, which must answer only about the caller.",
);
const policyTodo =
  "Row-level security must be on, and the policies those of supabase/migrations: drop the one that lets everyone in.";
const changes = broken("A user without a role can change or delete contacts.", policyTodo);

function attemptsOfUser({ userId, adminId, contactId }: Marker): Attempt[] {
  return [
    [`select public.has_role('${userId}', 'admin')::int`, isNothing, everyoneIsAdmin],
    [`select public.has_role('${adminId}', 'admin')::int`, isNothing, tellsOfOthers],
    [counted(`update public.contacts set state = 'archived' where id = '${contactId}'`), isNothing, changes],
    [counted(`delete from public.contacts where id = '${contactId}'`), isNothing, changes],
    ...inboxCalls.map((call) => mayNotCall(user, call)),
  ];
}

function attemptsOfAdmin({ adminId, contactId, text }: Marker): Attempt[] {
  const statements = {
    "be recognised by has_role": `select public.has_role('${adminId}', 'admin')::int`,
    "read a contact": `select count(*) from public.contacts where id = '${contactId}'`,
    "find a contact, by search_contacts": `select count(*) from public.search_contacts('${text}', '{spam}')`,
    "change a contact": counted(`update public.contacts set state = 'archived' where id = '${contactId}'`),
  };
  const todo = "See the column “admin” in docs/access.md; the inbox fails until those rights and policies are back.";
  return Object.entries(statements).map(([what, statement]) => [
    statement,
    isOne,
    (answer) => broken(`An admin cannot ${what}: ${reason(answer)}.`, todo),
  ]);
}

const inboxCalls = ["search_contacts('')", "inbox_news()", "administrators()", "contact_sources()"];

function mayNotCall(who: string, call: string): Attempt {
  const saw = `${who} may call ${call.split("(", 1)}.`;
  return [
    `select count(*) from public.${call}`,
    isRefused,
    broken(saw, "Its row in docs/access.md says who may call it."),
  ];
}

/** Reads whatever this caller may read, and looks for the marker in it. Views have the rights of their owner. */
async function readsOf(db: ClientBase, who: string, role: Claims["role"], marker: Marker): Promise<Attempt[]> {
  const { adminId, contactId, text } = marker;
  const marks = [text, contactId, adminId].map((mark) => `'%${mark}%'`);
  const relations = await readableRelations(db, role);
  return relations.map(({ name, columns, isView, showsCounts }) => [
    showsCounts
      ? `select count(*) from ${name}`
      : `select count(*) from ${name} where row(${columns})::text like any (array[${marks}])
           and row(${columns})::text not like '%${text}-%'`,
    isHidden,
    (answer) =>
      typeof answer === "string"
        ? look(`Whether ${who} reads ${name} could not be tried: ${reason(answer)}.`, "Try it by hand.")
        : broken(
            `${who} reads other people's rows in ${name}.`,
            isView && !showsCounts
              ? `Take the view away from callers, or let it check them: alter view ${name} set (security_invoker = true);`
              : policyTodo,
          ),
  ]);
}

function claimsOf(id: string, { text }: Marker): Claims {
  return { role: "authenticated", sub: id, email: `${text}@doctor.invalid`, aal: "aal2" };
}
