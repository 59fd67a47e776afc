import type { Log } from "#server/database/embedded/embedded-postgres";

/** For tests in which nobody reads the log. */
export const silent: Log = { info() {}, warn() {}, error() {} };
