import type { Pool } from "pg";
import { findDrift, readMigrationState } from "#server/database/migration-state";
import { readFacts } from "./database-facts.ts";
import {
  describeClock,
  describeConnections,
  describeMigrations,
  describeRoles,
  describeServer,
} from "./describe-database.ts";
import { broken, type Finding, findingsOf, ok } from "./finding.ts";
import type { CheckedDatabase } from "./open-for-checks.ts";

/**
 * PostgreSQL itself, its roles, the connection to it, and the migrations. The database of DATABASE_URL is one that its
 * owner sets up (`isOwn`).
 */
export async function checkDatabase({ owner, caller, isCopy }: CheckedDatabase, { isOwn }: { isOwn: boolean }) {
  const db = await owner.connect();
  try {
    await db.query("begin read only");
    const facts = await readFacts(db, String(caller.options.user));
    const copy = isCopy && ok("No server is running on this data, so this is about a copy of it.");
    const server = describeServer(facts);
    const migrations = describeMigrations(findDrift(await readMigrationState(db)), facts);
    // Without any migration, everything else would be a consequence.
    if (!facts.has_contacts) return findingsOf(copy, ...server, ...migrations);
    return findingsOf(
      copy,
      ...server,
      ...(isOwn ? describeConnections(facts) : []),
      ...describeRoles(facts, isOwn),
      !facts.is_hosted && (await checkLogin(caller)),
      ...migrations,
      ...describeClock(facts),
    );
  } finally {
    await db.query("rollback").catch(() => {});
    db.release(true);
  }
}

/** Callers log in as `authenticator`, with a password that is derived from the owner's. */
async function checkLogin(caller: Pool): Promise<Finding> {
  const { user } = caller.options;
  try {
    await caller.query("select");
    return ok(`The callers' login, ${user}, works.`);
  } catch (error) {
    return broken(
      `The callers' login, ${user}, does not work: ${(error as Error).message}.`,
      "Start the site, which sets the password or says what to do. A pooler must let this login in too.",
    );
  }
}
