import { isAbsolute } from "node:path";

/** With these options initdb makes a database; its settings hold for every later start. */
export const initdbOptions = [
  // With the built-in locale, PostgreSQL sorts text and changes its case in the same way on every machine. The locales
  // of the C library differ between machines, and only Linux always has its own C.UTF-8.
  ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "-E", "UTF8", "--data-checksums"],
  `--locale=${process.platform === "linux" ? "C.UTF-8" : "C"}`,
  // Without processes that a small database does not need: those that read ahead, and that of replication.
  ...["-c", "io_method=sync", "-c", "max_logical_replication_workers=0"],
  // Without 6 MB for replicas, serializable transactions and commits that do not wait for the disk.
  ...["-c", "max_wal_senders=0", "-c", "max_pred_locks_per_transaction=10", "-c", "wal_buffers=1MB"],
];

/** With these options PostgreSQL starts. */
export function serverOptions({ host, port }: { host: string; port: number }): string[] {
  const listening = isAbsolute(host)
    ? ["listen_addresses=", `unix_socket_directories="${host}"`, "unix_socket_permissions=0700"]
    : [`listen_addresses=${host}`, "unix_socket_directories="];
  return [...listening, `port=${port}`, ...logging].flatMap((setting) => ["-c", setting]);
}

/**
 * Keeps statements, values and failing rows out of the log, because they hold data of visitors. An error of a statement
 * is not logged at all: its message may quote a value, and our server has it. The level `log` comes after `error`.
 */
const logging = [
  ...["log_min_messages=log", "log_error_verbosity=terse", "log_min_error_statement=panic", "log_checkpoints=off"],
];
