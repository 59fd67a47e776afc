import { setTimeout as pause } from "node:timers/promises";
import type { Connections } from "#backend/database/connections";
import { readMigrationState } from "#backend/database/migrations";
import type { Settings } from "#server/settings";
import { checkAccess } from "./access-checks.ts";
import { checkAddress } from "./address-checks.ts";
import { checkBackup } from "./backup-checks.ts";
import { checkContent } from "./content-checks.ts";
import { checkConnections, checkDatabase, checkTimes } from "./database-checks.ts";
import { broken, type Finding, type Group } from "./finding.ts";
import { type Credentials, checkHosted } from "./hosted-checks.ts";
import { checkMachine } from "./machine-checks.ts";
import { checkDeliveries, checkMail } from "./mail-checks.ts";
import { checkPeople } from "./people-checks.ts";

export interface Check {
  group: Group;
  run(): Promise<readonly Finding[]>;
}

export interface Result extends Finding {
  group: Group;
}

/** All checks that fit the settings. Those of the database need it open. */
export async function checksOf(
  settings: Settings,
  database?: Connections,
  credentials?: Credentials,
): Promise<Check[]> {
  const { databaseUrl, hostedUrl, publicKey } = settings;
  const check = (group: Group, run: Check["run"]): Check => ({ group, run });
  const owner = database?.owner;
  const state = owner && (await readMigrationState(owner));
  // Neither an empty database nor a hosted project has the server's own tables.
  const hasOwnTables = state !== undefined && state.versions.server_migrations.length > 0;
  const signing =
    owner && hasOwnTables ? await owner.query<{ kid: string }>("select kid from auth.signing_keys") : undefined;
  const ownKeys = signing?.rows.map(({ kid }) => kid);
  return [
    ...(owner && state
      ? [check("database", () => checkDatabase(owner, state, { isOwn: databaseUrl !== undefined }))]
      : []),
    ...(database && hasOwnTables && databaseUrl !== undefined
      ? [check("database", () => checkConnections(database))]
      : []),
    ...(owner && hasOwnTables
      ? [
          check("database", () => checkTimes(owner)),
          check("access", () => checkAccess(owner)),
          check("mail", () => checkDeliveries(owner)),
          check("people", () => checkPeople(owner, settings)),
        ]
      : []),
    ...(hostedUrl === undefined
      ? [check("mail", () => checkMail(settings)), check("backup", () => checkBackup(settings))]
      : [check("access", () => checkHosted({ url: hostedUrl, key: publicKey }, credentials))]),
    check("address", () => checkAddress(settings, ownKeys)),
    check("content", () => checkContent(settings)),
    check("machine", () => checkMachine(settings)),
  ];
}

/** After this time the run goes on without the answer of a check. */
const secondsMax = 20;

/** Runs all checks side by side, so that a mail server and an address that do not answer cost their time once. */
export async function runChecks(checks: readonly Check[], milliseconds = secondsMax * 1000): Promise<Result[]> {
  const found = checks.map(async ({ group, run }) => {
    const late = `The checks of “${group}” had no answer within ${milliseconds / 1000} seconds.`;
    const findings = await Promise.race([
      // No stack trace: the findings of the other checks must stay readable.
      run().catch(({ message }: Error) => [broken(`The checks of “${group}” ended with an error: ${message}`, again)]),
      pause(milliseconds, [broken(late, again)], { ref: false }),
    ]);
    return findings.map((finding) => ({ group, ...finding }));
  });
  return (await Promise.all(found)).flat();
}

const again = "Run the doctor again.";
