import { keepCompiledCode } from "../../process/compile-cache.mjs";

/**
 * `npm run NAME -- …` for each of these. They work whether the server is running or not, with two exceptions for the
 * embedded PostgreSQL: restore without --contacts-only refuses while the server runs, and the doctor checks its database only then.
 */
const commands = {
  admin: async () => (await import("./admin/run-admin.ts")).runAdmin,
  backup: async () => (await import("./backup/run-backup.ts")).runBackup,
  demo: async () => (await import("./demo/run-demo.ts")).runDemo,
  doctor: async () => (await import("./doctor/run-doctor.ts")).runDoctor,
  restore: async () => (await import("./backup/run-restore.ts")).runRestore,
};

keepCompiledCode();
const [name = "", ...given] = process.argv.slice(2);
if (Object.hasOwn(commands, name)) {
  const run = await commands[name as keyof typeof commands]();
  process.exitCode = await run(given);
} else {
  const { printError } = await import("#process/print");
  printError(`Usage: node operations/commands/run.ts ${Object.keys(commands).join("|")} …`);
  process.exitCode = 1;
}
