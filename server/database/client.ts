import { type ClientConfig, Client as PgClient } from "pg";

/**
 * A connection to PostgreSQL whose loss never ends the process. pg emits `error` when PostgreSQL closes a connection on
 * which no statement runs, and Node ends a process for an `error` without a listener. A pool listens to its idle
 * connections only, so one that breaks right after its hand-over would have no listener. Nothing goes unnoticed: the
 * statement under way rejects, and so does the next one.
 */
export class Client extends PgClient {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}
