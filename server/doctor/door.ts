import { randomBytes, randomUUID } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import {
  type Answer,
  attemptAs,
  type Claims,
  counted,
  insufficientPrivilege,
  limitTime,
  reason,
} from "./attempt-as.ts";
import { closedSchemas, findOpenRights, readableRelations } from "./door-rights.ts";
import { broken, type Finding, listOf, look, ok } from "./finding.ts";

/** Rows that exist only in the doctor's own transaction. */
interface Marker {
  /** In the email address of each of them. */
  text: string;
  contactId: string;
  userId: string;
  adminId: string;
}

/**
 * Tries as a stranger, as a user and as an admin what each may do with contacts, accounts and roles. Contacts and
 * accounts of its own make an answer of no rows mean something. All happens in one transaction that is rolled back; only
 * the sequence of `private.jobs` goes on by one, because PostgreSQL never takes a sequence back.
 */
export async function tryDoor(owner: Pool): Promise<Finding[]> {
  const db = await owner.connect();
  try {
    await db.query("begin");
    await limitTime(db);
    if (!(await mayBecomeCallers(db))) return [cannotBecome];
    const marker = await storeMarker(db);
    const findings = [
      ...(await findOpenRights(db)),
      ...(await tryStranger(db, marker)),
      ...(await tryUser(db, marker)),
      ...(await tryAdmin(db, marker)),
    ];
    return [...findings, ...summary(findings)];
  } finally {
    // Ends the transaction even if the connection no longer takes a statement.
    await db.query("rollback").catch(() => {});
    db.release(true);
  }
}

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

async function tryStranger(db: ClientBase, marker: Marker): Promise<Finding[]> {
  const insert = `insert into public.contacts (name, company, email, interest)
    values ('Doctor', 'Doctor', '${marker.text}-form@doctor.invalid', 'consulting')`;
  const own = await attemptAs(db, { role: "anon" }, [
    counted(insert),
    "select public.has_role(gen_random_uuid(), 'admin')::int",
    "select count(*) from public.search_contacts('')",
    "select count(*) from public.inbox_news()",
  ]);
  const [stored, ...calls] = own;
  return [
    ...(stored === 1
      ? []
      : [
          broken(
            `A stranger cannot send a contact: ${reason(stored)}.`,
            "See the rights and policies of public.contacts in docs/access.md; the contact form fails until they are back.",
          ),
        ]),
    ...openCalls("a stranger", ["has_role", "search_contacts", "inbox_news"], calls),
    ...(await tryRelations(db, "a stranger", { role: "anon" }, marker)),
  ];
}

async function tryUser(db: ClientBase, marker: Marker): Promise<Finding[]> {
  const { userId, adminId, contactId } = marker;
  const claims = claimsOf(userId, marker);
  const [isAdmin, knowsAdmin, updated, deleted, granted, ...calls] = await attemptAs(db, claims, [
    `select public.has_role('${userId}', 'admin')::int`,
    `select public.has_role('${adminId}', 'admin')::int`,
    counted(`update public.contacts set state = 'archived' where id = '${contactId}'`),
    counted(`delete from public.contacts where id = '${contactId}'`),
    counted(`insert into public.user_roles (user_id, role) values ('${userId}', 'admin')`),
    "select count(*) from public.search_contacts('')",
    "select count(*) from public.inbox_news()",
  ]);
  const opens = (answer: Answer | undefined) => typeof answer === "number" && answer > 0;
  // Everything else would follow from it.
  if (opens(isAdmin)) {
    return [
      broken(
        "has_role takes a user without a role for an admin, so every user reads the contacts.",
        "Restore public.has_role from supabase/migrations/20261121020000_admin_roles.sql.",
      ),
    ];
  }
  return [
    ...(opens(knowsAdmin)
      ? [
          broken(
            "has_role tells a user about other accounts.",
            "Restore public.has_role, which must answer only about the caller.",
          ),
        ]
      : []),
    ...(opens(updated) || opens(deleted)
      ? [broken("A user without a role can change or delete contacts.", policyTodo)]
      : []),
    ...(opens(granted)
      ? [broken("A user can make itself an admin.", "revoke all on public.user_roles from anon, authenticated;")]
      : []),
    ...openCalls("a user without a role", ["search_contacts", "inbox_news"], calls),
    ...(await tryRelations(db, "a user without a role", claims, marker)),
  ];
}

async function tryAdmin(db: ClientBase, marker: Marker): Promise<Finding[]> {
  const { adminId, contactId, text } = marker;
  const attempts = [
    ["be recognised by has_role", `select public.has_role('${adminId}', 'admin')::int`],
    ["read a contact", `select count(*) from public.contacts where id = '${contactId}'`],
    ["find a contact, by search_contacts", `select count(*) from public.search_contacts('${text}', '{spam}')`],
    ["change a contact", counted(`update public.contacts set state = 'archived' where id = '${contactId}'`)],
  ] as const;
  const statements = attempts.map(([, statement]) => statement);
  const answers = await attemptAs(db, claimsOf(adminId, marker), statements);
  return attempts.flatMap(([what], index) =>
    answers[index] === 1
      ? []
      : [
          broken(
            `An admin cannot ${what}: ${reason(answers[index])}.`,
            "See the column “admin” in docs/access.md; the inbox fails until those rights and policies are back.",
          ),
        ],
  );
}

const policyTodo =
  "Row-level security must be on, and the policies those of supabase/migrations: drop the one that lets everyone in.";

/** Reads whatever this caller may read, and looks for the marker in it. Views have the rights of their owner. */
async function tryRelations(db: ClientBase, who: string, claims: Claims, marker: Marker): Promise<Finding[]> {
  const { adminId, contactId, text } = marker;
  const relations = await readableRelations(db, claims.role);
  const marks = [text, contactId, adminId].map((mark) => `'%${mark}%'`);
  const answers = await attemptAs(
    db,
    claims,
    relations.map(({ name, columns, showsCounts }) =>
      showsCounts
        ? `select count(*) from ${name}`
        : `select count(*) from ${name} where row(${columns})::text like any (array[${marks}])
             and row(${columns})::text not like '%${text}-%'`,
    ),
  );
  return relations.flatMap(({ name, isView, showsCounts }, index) => {
    const answer = answers[index];
    if (answer === 0 || answer === insufficientPrivilege) return [];
    if (typeof answer === "string")
      return [look(`Whether ${who} reads ${name} could not be tried: ${reason(answer)}.`, "Try it by hand.")];
    const todo =
      isView && !showsCounts
        ? `Take the view away from callers, or let it check them: alter view ${name} set (security_invoker = true);`
        : policyTodo;
    return [broken(`${capital(who)} reads other people's rows in ${name}.`, todo)];
  });
}

function openCalls(who: string, names: readonly string[], answers: readonly Answer[]): Finding[] {
  const open = names.filter((_, index) => typeof answers[index] === "number");
  if (open.length === 0) return [];
  return [broken(`${capital(who)} may call ${listOf(open)}.`, "Their rows in docs/access.md say who may call them.")];
}

function summary(findings: readonly Finding[]): Finding[] {
  if (findings.some(({ level }) => level !== "ok")) return [];
  return [
    ok("A stranger can send a contact, and reads, changes and deletes nothing."),
    ok("A user without a role reads no contact, no role and no account."),
    ok("An admin reads and changes contacts."),
    ok(`Nobody but the owner reaches the tables of ${listOf(closedSchemas)}. (All this was tried, and rolled back.)`),
  ];
}

function claimsOf(id: string, { text }: Marker): Claims {
  return Object.assign({ role: "authenticated" as const, sub: id }, { email: `${text}@doctor.invalid`, aal: "aal2" });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
