import type { ClientBase } from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import type { Claims } from "#backend/database/as-caller";
import { createDatabase, createUser, service, visitor } from "../support/database.ts";

const database = await createDatabase();
const { owner } = database;

beforeAll(async () => {
  await owner.query(`insert into contacts (name, email, interest) values ('Ada', 'ada@x.org', 'consulting');
    update private.jobs set created_at = now() - interval '1 hour', last_error = 'No.', attempts = 1`);
});

/** Everything about contacts, with the answer of a caller who may read them; the other answer is "42501" or 0 rows. */
const attempts = {
  "select from contacts": 1,
  "update contacts set state = 'handled' where true": 1,
  "delete from contacts where true": 1,
  "select from contacts_per_week where contacts > 0": 1,
  "select from administrators() limit 1": 1,
  "update contacts set handled_by = auth.uid(), read_by = auth.uid() where true": 1,
  "select from inbox_news()": 1,
  "select from delivery_failures": 1,
  "select retry_deliveries() as answer": 1,
};
const allowed = Object.values(attempts);
const refused = [0, 0, 0, 0, "42501", 0, "42501", 0, 0];

const steps = { none: allowed, verify: refused, set_up: refused };
type Step = keyof typeof steps;
type Factor = "none" | "unverified" | "verified";

/** The step of an administrator by factor and level of the session, without and with the rule that each needs a factor. */
const admins: [Factor, aal: string | undefined, optional: Step, required: Step][] = [
  ["none", "aal1", "none", "set_up"],
  ["none", undefined, "none", "set_up"],
  ["none", "aal2", "none", "none"],
  ["unverified", "aal1", "none", "set_up"],
  ["unverified", "aal2", "none", "none"],
  ["verified", "aal1", "verify", "verify"],
  ["verified", undefined, "verify", "verify"],
  ["verified", "aal2", "none", "none"],
];

describe.each([false, true])("with a second factor required: %s,", (required) => {
  beforeAll(() => owner.query("select private.set_second_factor_rule($1)", [required]));

  test.each(admins)("an admin with factor %s in a session of level %s", async (factor, aal, optional, whenRequired) => {
    const step = required ? whenRequired : optional;
    expect(await observe({ admin: true, factor, aal })).toEqual([step, ...steps[step]]);
  });

  test.each(["none", "unverified", "verified"] as const)("a user with factor %s reads nothing", async (factor) => {
    const step = factor === "verified" ? "verify" : "none";
    expect(await observe({ admin: false, factor, aal: "aal1" })).toEqual([step, ...refused]);
    expect(await observe({ admin: false, factor, aal: "aal2" })).toEqual(["none", ...refused]);
  });

  test("a visitor may not ask; a program with the secret key of a hosted project reads contacts as before", async () => {
    expect(await answersTo(visitor)).toEqual(["42501", ...Array(9).fill("42501")]);
    expect((await answersTo(service)).slice(0, 4)).toEqual(["42501", 1, 1, 1]);
  });
});

test("another account's factor changes nothing", async () => {
  await owner.query("select private.set_second_factor_rule(false)");
  await createFactor((await createUser(database, { admin: true })).id, "verified");
  expect(await observe({ admin: true, factor: "none", aal: "aal1" })).toEqual(["none", ...allowed]);
});

test("without the row of the rule, a second factor is required, and the rule can be set again", async () => {
  await owner.query("delete from private.second_factor_rule");
  const admin = { admin: true, factor: "none", aal: "aal1" } as const;
  expect(await observe(admin)).toEqual(["set_up", ...refused]);
  await owner.query("select private.set_second_factor_rule(false)");
  expect(await observe(admin)).toEqual(["none", ...allowed]);
});

test("a statement about contacts asks once, not once per row", async () => {
  const { claims } = await createUser(database, { admin: true });
  for (const relation of ["contacts", "contacts_per_week", "delivery_failures"]) {
    const { rows } = await database.as(claims, (db) => db.query(`explain (format json) select * from ${relation}`));
    const plan = JSON.stringify(rows);
    expect(plan, relation).toContain('"Parent Relationship":"InitPlan"');
    expect(plan, relation).not.toContain("may_read_contacts");
  }
});

async function observe({ admin, factor, aal }: { admin: boolean; factor: Factor; aal: string | undefined }) {
  const { id, claims } = await createUser(database, { admin });
  if (factor !== "none") await createFactor(id, factor);
  return answersTo({ ...claims, aal });
}

function createFactor(userId: string, status: Factor) {
  return owner.query(
    `insert into auth.mfa_factors (user_id, session_id, factor_type, status, secret, created_at, updated_at)
     values ($1, case when $2 = 'unverified' then gen_random_uuid() end, 'totp', $2, 'JBSWY3DPEHPK3PXP', now(), now())`,
    [userId, status],
  );
}

/** The step, then for each attempt the number of rows or the code of the refusal. Nothing is changed. */
function answersTo(claims: Claims): Promise<(string | number)[]> {
  return database.as(claims, async (db) => {
    const answers = [];
    for (const statement of ["select second_factor_step() as answer", ...Object.keys(attempts)])
      answers.push(await tryAndUndo(db, statement));
    return answers;
  });
}

async function tryAndUndo(db: ClientBase, statement: string): Promise<string | number> {
  await db.query("savepoint attempt");
  const answer = await db.query(statement).then(
    ({ rows, rowCount }) => rows[0]?.answer ?? rowCount,
    (error) => error.code,
  );
  await db.query("rollback to attempt");
  return answer;
}
