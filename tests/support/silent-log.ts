import type { Log } from "#server/database/embedded/embedded-postgres";

/** A log that is discarded. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
