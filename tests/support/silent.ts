import type { Log } from "#server/database/embedded/embedded";

/** For tests in which nobody reads the log. */
export const silent: Log = { info() {}, warn() {}, error() {} };
