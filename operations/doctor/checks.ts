import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { checkAccess } from "./access-checks.ts";
import { checkAddress } from "./address-checks.ts";
import { checkBackup, checkNewestBackup } from "./backup-checks.ts";
import { checkContent } from "./content-checks.ts";
import { checkDatabase, checkTimes } from "./database-checks.ts";
import { broken, type Finding, type Group, groups } from "./finding.ts";
import { type Credentials, checkHosted } from "./hosted-checks.ts";
import { checkMachine } from "./machine-checks.ts";
import { checkDeliveries, checkMail } from "./mail-checks.ts";
import { openForChecks } from "./open-for-checks.ts";
import { checkPeople } from "./people-checks.ts";
import type { FoundSettings } from "./settings-checks.ts";

export interface Check {
  group: Group;
  run(): Promise<readonly Finding[]>;
}

export interface Result extends Finding {
  group: Group;
}

/** All checks that fit the settings. Whatever depends on a setting that cannot be used is left out. */
export function checksOf(
  { settings, findings, wrong }: FoundSettings,
  credentials: Credentials | undefined,
  stop: AbortSignal,
): { checks: Check[]; close(): Promise<void> } {
  const { databaseUrl, hostedUrl = "", publicKey } = settings;
  const isHosted = hostedUrl !== "";
  const isUsable = (names: string) => !names.split(" ").some((name) => wrong.has(name));
  const isOwn = databaseUrl !== undefined;
  const hasDatabase = (isOwn || !isHosted) && isUsable("DATABASE_URL DATA_DIR PUBLIC_SUPABASE_URL ENV_FILE");
  // If the database cannot be opened, one finding says why, and its other checks report nothing.
  const opening = hasDatabase ? openForChecks(settings, stop).catch((error: Error) => error) : undefined;
  const opened = async () => {
    const database = await opening;
    return database instanceof Error ? undefined : database;
  };

  async function checkOpening(): Promise<Finding[]> {
    const database = await opening;
    if (database instanceof Error) return [cannotBeOpened(database, isOwn)];
    return database ? checkDatabase(database, { isOwn }) : [];
  }

  /** The database of a hosted project has no queue, and its accounts are the project's. */
  async function inOwnDatabase<T>(check: (owner: Pool) => Promise<T[]>): Promise<T[]> {
    const database = await opened();
    const found = await database?.owner.query("select to_regclass('private.jobs') is not null as ours");
    return database && found?.rows[0].ours ? check(database.owner) : [];
  }

  const readKeys = async (owner: Pool) => (await owner.query("select kid from auth.signing_keys")).rows;

  const checks: readonly (readonly [group: Group, isOn: boolean, run: Check["run"]])[] = [
    ["settings", true, async () => findings],
    ["database", hasDatabase, checkOpening],
    ["database", hasDatabase, () => inOwnDatabase(checkTimes)],
    ["access", hasDatabase, () => inOwnDatabase(checkAccess)],
    ["mail", hasDatabase, () => inOwnDatabase(checkDeliveries)],
    ["people", hasDatabase, () => inOwnDatabase((owner) => checkPeople(owner, settings))],
    ["access", isHosted, () => checkHosted({ url: hostedUrl, key: publicKey }, credentials)],
    ["mail", !isHosted && isUsable("SMTP_URL MAIL_FROM NOTIFY_TO"), () => checkMail(settings)],
    ["address", isUsable("SITE_URL HOST PORT"), () => checkAddress(settings, inOwnDatabase(readKeys))],
    ["content", true, () => checkContent(settings)],
    ["backup", !isHosted && isUsable("BACKUP_DIR BACKUP_AT"), () => checkBackup(settings)],
    // A check of its own, because reading a large one may use up the time of a check.
    ["backup", !isHosted && isUsable("BACKUP_DIR"), () => checkNewestBackup(settings)],
    ["machine", isUsable("DATA_DIR BUILD_DIR BACKUP_DIR"), () => checkMachine(settings)],
  ];
  return {
    checks: checks.flatMap(([group, isOn, run]) => (isOn ? { group, run } : [])),
    close: async () => (await opened())?.close(),
  };
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

/** After this time the run goes on without the answer of a check. */
const secondsMax = 20;

/** Only a wait that is longer than this is announced. */
const quietMilliseconds = 2000;

/**
 * Runs all checks side by side, so that a mail server and an address that do not answer cost this time once. After two
 * seconds `tell` gets a sentence about the groups that have not finished.
 */
export async function runChecks(
  checks: readonly Check[],
  tell: (text: string) => void,
  { milliseconds = secondsMax * 1000, quiet = quietMilliseconds } = {},
): Promise<Result[]> {
  const waiting = new Set(checks);
  const timer = setTimeout(() => {
    const unfinished = groups.filter((group) => [...waiting].some((check) => check.group === group));
    tell(`Waiting for ${unfinished.join(", ")} …`);
  }, quiet);
  const found = await Promise.all(
    checks.map(async (check) => {
      const findings = await withTimeLimit(check, milliseconds);
      waiting.delete(check);
      return findings.map((finding) => ({ group: check.group, ...finding }));
    }),
  );
  clearTimeout(timer);
  return found.flat();
}

async function withTimeLimit({ group, run }: Check, milliseconds: number): Promise<readonly Finding[]> {
  const late = broken(
    `The checks of “${group}” had no answer within ${milliseconds / 1000} seconds.`,
    "Run the doctor again.",
  );
  try {
    return await Promise.race([run(), pause(milliseconds, [late], { ref: false })]);
  } catch (error) {
    // No stack trace: the findings of the other checks must stay readable.
    const { message } = error as Error;
    return [broken(`The checks of “${group}” ended with an error: ${message || error}.`, "Run the doctor again.")];
  }
}
