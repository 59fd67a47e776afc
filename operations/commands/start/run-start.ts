import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Connections } from "#backend/database/connections";
import { reportProblem } from "#operations/commands/terminal";
import { readEnvironment } from "#process/environment";
import { createLog } from "#process/log";
import { type Shutdown, shutdownOnSignal, stopDeadlineSeconds } from "#process/shutdown";
import { openDatabase } from "#server/database";
import { readSettings, type Settings } from "#server/settings";
import { settingsWarnings } from "#server/settings-warnings";

let shutdown: Shutdown | undefined;

// If the terminal or another program that reads the output ends first, a write fails with EPIPE. This must not end the
// server.
for (const output of [process.stdout, process.stderr]) output.on("error", () => {});

await start().catch((error: unknown) => {
  if (shutdown?.hasBegun) return;
  reportProblem(error);
  process.exit(1);
});

async function start() {
  const environment = readEnvironment();
  const settings = readSettings(environment);
  const log = createLog({ ...settings, output: process.stdout });
  for (const warning of settingsWarnings(settings, environment)) log.warn(warning);

  shutdown = shutdownOnSignal(log);
  if (settings.hostedUrl !== undefined) {
    const { serveHosted } = await import("#server/serve");
    return serveHosted(settings, settings.hostedUrl, shutdown, log);
  }

  const { promise: away, resolve: whenAway } = Promise.withResolvers<Connections>();
  const opening = openDatabase(settings, log, { refuseHosted: true, whenAway });
  shutdown.add({
    name: "the database",
    deadlineSeconds: stopDeadlineSeconds.database,
    close: async () => (await Promise.race([opening, away])).close(),
  });
  // `serve` waits for it and reports its failure. Until then, a failure must not end the process as unhandled.
  opening.catch(() => {});
  try {
    // PostgreSQL starts beside this import and all that `serve` can do without it.
    const { serve } = await import("#server/serve");
    await serve({ settings, opening, away, shutdown, log, backup: await dailyBackupOf(settings, log) });
  } catch (error) {
    if (!shutdown.hasBegun)
      await Promise.race([opening, away]).then(
        ({ close }) => close(),
        () => {},
      );
    throw error;
  }
}

async function dailyBackupOf({ backup }: Settings, log: Logger) {
  if (!backup) return undefined;
  const { dailyBackup } = await import("#operations/backup/daily-backup");
  return (owner: Pool) => dailyBackup({ owner, log, backup });
}
