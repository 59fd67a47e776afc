import type { Pool } from "pg";
import type { Connections } from "#server/database/connections";
import { findDrift } from "#server/database/migration-drift";
import { readFacts } from "./database-facts.ts";
import {
  describeClock,
  describeConnection,
  describeMigrations,
  describeRoles,
  describeServer,
} from "./describe-database.ts";
import { broken, type Finding, ok } from "./finding.ts";

/** What the settings say about the database, for the advice that a finding ends with. */
export interface DatabaseKind {
  /** Whether it is the one of DATABASE_URL, which its owner sets up. */
  isOwn: boolean;
}

/** PostgreSQL itself, its roles, the connection to it, and the migrations. */
export async function checkDatabase({ owner, caller }: Connections, { isOwn }: DatabaseKind): Promise<Finding[]> {
  const db = await owner.connect();
  try {
    const callerLogin = String(caller.options.user);
    await db.query("begin read only");
    const facts = await readFacts(db, callerLogin);
    // Without any migration, everything else would be a consequence.
    if (!facts.has_contacts) return [...describeServer(facts), ...describeMigrations(await findDrift(db), facts)];
    return [
      ...describeServer(facts),
      ...(isOwn ? describeConnection(facts) : []),
      ...describeRoles(facts, isOwn),
      ...(facts.is_hosted ? [] : await checkLogin(caller)),
      ...describeMigrations(await findDrift(db), facts),
      ...describeClock(facts),
    ];
  } finally {
    await db.query("rollback").catch(() => {});
    db.release(true);
  }
}

/** Callers log in as `authenticator`, with a password that is derived from the owner's. */
async function checkLogin(caller: Pool): Promise<Finding[]> {
  try {
    await caller.query("select");
    return [ok(`The callers' login, ${caller.options.user}, works.`)];
  } catch (error) {
    return [
      broken(
        `The callers' login, ${caller.options.user}, does not work: ${(error as Error).message}.`,
        "Start the site, which sets the password or says what to do. A pooler must let this login in too.",
      ),
    ];
  }
}
