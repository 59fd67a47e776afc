import type { Log } from "#backend/database/embedded/embedded-postgres";

/** A log that is discarded. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
