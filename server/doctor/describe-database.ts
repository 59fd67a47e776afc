import { connectionsMax } from "#server/database/connections";
import type { Drift } from "#server/database/migration-state";
import type { DatabaseFacts } from "./database-facts.ts";
import { broken, clocksDiffer, countOf, type Finding, listOf, look, ok, problemsOr } from "./finding.ts";

export function describeServer(facts: DatabaseFacts): Finding[] {
  const { version, major, encoding, unsafe, is_standby, short_sequences, has_trgm, has_contacts } = facts;
  return problemsOr(ok(`PostgreSQL ${version}, UTF8; a commit survives a power cut.`), [
    (major < 15 || major > 18) &&
      broken(`PostgreSQL is version ${version}; 15 to 18 are supported.`, "Use one of these."),
    unsafe.length > 0 &&
      broken(
        `${listOf(unsafe)} ${unsafe.length === 1 ? "is" : "are"} off, so a power cut can lose contacts after their senders were told that they had arrived.`,
        `${unsafe.map((name) => `alter system set ${name} = on;`).join(" ")} select pg_reload_conf();`,
      ),
    encoding !== "UTF8" &&
      broken(
        `The database is encoded in ${encoding}, which cannot store every name.`,
        "Use a database with encoding UTF8.",
      ),
    is_standby && broken("This PostgreSQL is a standby, which takes no writes.", "Name the primary in DATABASE_URL."),
    short_sequences.length > 0 &&
      broken(
        `Almost no numbers are left in ${listOf(short_sequences)}: without one, contacts and logins are refused.`,
        `See that no row of its table has such a number, then: select setval('${short_sequences[0]}', the highest number of a row);`,
      ),
    !has_trgm &&
      has_contacts &&
      look(
        "The extension pg_trgm is missing, so the inbox searches slowly.",
        "As a superuser: create extension pg_trgm schema extensions; then start the site again.",
      ),
  ]);
}

/** The connection to a database that others may run, on a machine that may be elsewhere. */
export function describeConnections(facts: DatabaseFacts): Finding[] {
  const { connections_free, connections_ours } = facts;
  const wanted = Object.values(connectionsMax).reduce((sum, max) => sum + max);
  // The doctor's own connections, and those of a running server, are among those that a server may have.
  const left = connections_free + connections_ours;
  return [
    describeEncryption(facts),
    left >= wanted
      ? ok(`${left} connections are free for this site; a server uses up to ${wanted}.`)
      : look(
          `Only ${left} connections are left for this site, and a server uses up to ${wanted}.`,
          "Raise max_connections, or put a pooler in between.",
        ),
  ];
}

function describeEncryption({ host, encryption }: DatabaseFacts): Finding {
  const todo = "Write sslmode=verify-full in DATABASE_URL, and sslrootcert=FILE if it has its own CA.";
  return {
    local: ok("The database is on this machine."),
    none: broken(
      `The connection to the database on ${host} is not encrypted: contacts and password hashes can be read on the way.`,
      todo,
    ),
    unchecked: look("The connection to the database is encrypted, and nothing checks which server answers.", todo),
    checked: ok("The connection to the database is encrypted, and checks which server answers."),
  }[encryption];
}

export function describeRoles(facts: DatabaseFacts, isOwn: boolean): Finding[] {
  const { owner, is_superuser, is_open_to_all, owns_contacts, missing_roles, strong_roles } = facts;
  return problemsOr(ok("Owner and callers have the roles they need, and no more."), [
    missing_roles.length > 0 && broken(`Missing roles: ${listOf(missing_roles)}.`, "npm run admin -- database-setup"),
    strong_roles.length > 0 &&
      broken(
        `${listOf(strong_roles)} may do more than a caller needs (superuser, bypassrls, createrole, or the owner's role).`,
        `alter role ${strong_roles[0]} nosuperuser nobypassrls nocreaterole; and revoke the owner's role from it.`,
      ),
    is_open_to_all &&
      broken(
        "Every login of this PostgreSQL may enter the database, and that of another site can act as any user.",
        "Run npm run admin -- database-setup again.",
      ),
    !owns_contacts &&
      broken(
        `The user ${owner} of DATABASE_URL does not own the tables.`,
        `alter table public.contacts owner to ${owner}; or use their owner.`,
      ),
    isOwn &&
      is_superuser &&
      look(
        `The server's login ${owner} is a superuser, which it need not be.`,
        "npm run admin -- database-setup prints how to do without.",
      ),
  ]);
}

export function describeMigrations(
  { missing, unknown, edited }: Drift,
  { has_contacts, is_hosted }: DatabaseFacts,
): Finding[] {
  const fills = is_hosted ? "npx supabase db push" : "npm start";
  if (!has_contacts) {
    const todo = `${fills} fills it. If the site has contacts already, this is the wrong database.`;
    return [broken("The database is empty.", todo)];
  }
  return problemsOr(ok("All migrations are applied and match this code."), [
    unknown.length > 0 &&
      broken(
        `The database is newer than this code: it has ${listOf(unknown, 2)}.`,
        "Run the newer version of the site, or restore a backup.",
      ),
    edited.length > 0 &&
      broken(
        `Edited after it had been applied: ${listOf(edited, 2)}.`,
        "Restore the file, and write the change into a new migration.",
      ),
    missing.length > 0 &&
      look(
        `${countOf(missing.length, "migration")} not applied yet: ${listOf(missing, 2)}.`,
        `${fills} applies them: make a backup first.${is_hosted ? " Those that were run in the SQL editor: npx supabase migration repair --status applied VERSION." : ""}`,
      ),
  ]);
}

export function describeClock({ now }: DatabaseFacts): Finding[] {
  const fine = ok("The clocks of this machine and the database agree.");
  return problemsOr(fine, [clocksDiffer("database", Date.now() - now.getTime())]);
}
