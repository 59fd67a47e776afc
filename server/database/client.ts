import { type ClientConfig, Client as PgClient } from "pg";

/**
 * A connection to PostgreSQL whose loss never ends the process. pg emits `error` when PostgreSQL closes a connection
 * without a running statement, and Node ends the process for an `error` without a listener. A pool listens to its idle
 * connections only, so a connection that breaks right after it was checked out would have no listener. The loss is
 * still reported: the running statement rejects, and so does the next one.
 */
export class Client extends PgClient {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}
