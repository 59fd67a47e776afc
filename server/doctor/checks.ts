import type { Connections } from "#server/database/connections";
import { checkAccess } from "./access-checks.ts";
import { checkAddress } from "./address-checks.ts";
import { checkBackup, checkNewestBackup } from "./backup-checks.ts";
import { checkContent } from "./content-checks.ts";
import { checkDatabase } from "./database-checks.ts";
import { broken, type Finding } from "./finding.ts";
import { type Credentials, checkHosted } from "./hosted-checks.ts";
import { checkMachine } from "./machine-checks.ts";
import { checkDeliveries, checkMail } from "./mail-checks.ts";
import { openForChecks } from "./open-for-checks.ts";
import { checkPeople } from "./people-checks.ts";
import type { Check } from "./run-checks.ts";
import type { FoundSettings } from "./settings-checks.ts";

/** All checks that fit the settings. Whatever depends on a setting that cannot be used is left out. */
export function checksOf(
  { settings, findings, wrong }: FoundSettings,
  credentials: Credentials | undefined,
  stop: AbortSignal,
): { checks: Check[]; close(): Promise<void> } {
  const { databaseUrl, hostedUrl, publicKey } = settings;
  const isUsable = (...names: string[]) => !names.some((name) => wrong.has(name));
  const usesDatabase =
    (databaseUrl !== undefined || hostedUrl === undefined) &&
    isUsable("DATABASE_URL", "DATA_DIR", "PUBLIC_SUPABASE_URL", "ENV_FILE");
  const database = usesDatabase ? databaseChecks(settings, stop) : undefined;

  const checks: (Check | false)[] = [
    { group: "settings", run: async () => findings },
    ...(database?.checks ?? []),
    hostedUrl !== undefined && {
      group: "access",
      run: () => checkHosted({ url: hostedUrl, key: publicKey }, credentials),
    },
    hostedUrl === undefined &&
      isUsable("SMTP_URL", "MAIL_FROM", "NOTIFY_TO") && { group: "mail", run: () => checkMail(settings) },
    isUsable("SITE_URL", "HOST", "PORT") && { group: "address", run: () => checkAddress(settings) },
    { group: "content", run: () => checkContent(settings) },
    hostedUrl === undefined &&
      isUsable("BACKUP_DIR", "BACKUP_AT") && { group: "backup", run: () => checkBackup(settings) },
    hostedUrl === undefined && isUsable("BACKUP_DIR") && { group: "backup", run: () => checkNewestBackup(settings) },
    isUsable("DATA_DIR", "BUILD_DIR", "BACKUP_DIR") && { group: "machine", run: () => checkMachine(settings) },
  ];
  return {
    checks: checks.filter((check) => check !== false),
    close: async () => database?.close(),
  };
}

/** The checks that share the connections to the database. If it cannot be opened, one finding says why. */
function databaseChecks(settings: FoundSettings["settings"], stop: AbortSignal) {
  const opening = openForChecks(settings, stop);
  const isOwn = settings.databaseUrl !== undefined;
  const onceOpen = (check: (connections: Connections) => Promise<Finding[]>) => async () => {
    const connections = await opening.catch(() => undefined);
    return connections ? check(connections) : [];
  };
  // The database of a hosted project has no queue, and its accounts are the project's.
  const unlessHosted = (check: (connections: Connections) => Promise<Finding[]>) =>
    onceOpen(async (connections) => {
      const { rows } = await connections.owner.query("select to_regclass('private.jobs') is not null as ours");
      return rows[0].ours ? check(connections) : [];
    });

  const checks: Check[] = [
    {
      group: "database",
      run: () =>
        opening.then(
          (connections) => checkDatabase(connections, { isOwn }),
          (error: Error) => [cannotBeOpened(error, isOwn)],
        ),
    },
    { group: "access", run: unlessHosted(({ owner }) => checkAccess(owner)) },
    { group: "mail", run: unlessHosted(({ owner }) => checkDeliveries(owner)) },
    { group: "people", run: unlessHosted(({ owner }) => checkPeople(owner, settings)) },
  ];
  const close = () =>
    opening.then(
      ({ close }) => close(),
      () => {},
    );
  return { checks, close };
}

function cannotBeOpened({ message }: Error, isOwn: boolean): Finding {
  return broken(
    `The database cannot be opened: ${message.replace(/\.$/, "")}.`,
    isOwn
      ? "See whether PostgreSQL is running, and whether DATABASE_URL is its address."
      : message.startsWith("There is no database")
        ? "npm start makes one. If the site uses another, name it in DATA_DIR or DATABASE_URL."
        : "Run the doctor as the server's user, and see “When something is wrong” in docs/operating.md.",
  );
}
