import { type ClientBase, Query, type QueryResult } from "pg";

/** One SQL statement with its parameters. */
export interface Statement {
  text: string;
  values?: unknown[];
}

/**
 * Runs two statements in one round trip and resolves with the result of the second. If the first fails, PostgreSQL does
 * not run the second. Outside of a transaction block both are one transaction, which PostgreSQL commits before it
 * reports success: they share one `Sync` message (PostgreSQL manual, 54.2.4 "Pipelining"). pg's own pipeline mode sends
 * a `Sync` after each statement, so that `begin` and `commit` are statements, too.
 *
 * The first statement must return no rows, and its values must be texts.
 */
export function queryPipelined<Row extends object>(
  client: ClientBase,
  first: Statement & { values?: string[] },
  second: Statement,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    // In the extended protocol PostgreSQL refuses a text with more than one statement, so an injected second statement
    // could not run.
    const config = { ...second, queryMode: "extended" };
    const query = new Query<Row>(config, (error, results) => {
      if (error) reject(error);
      // pg keeps a result of each statement.
      else resolve((results as unknown as QueryResult<Row>[])[1] as QueryResult<Row>);
    });
    const submitSecond = query.submit.bind(query);
    query.submit = (connection) => {
      connection.stream.cork();
      connection.parse({ name: "", text: first.text, types: [] }, true);
      connection.bind({ values: first.values ?? [] }, true);
      connection.execute({}, true);
      submitSecond(connection);
      connection.stream.uncork();
    };
    client.query(query);
  });
}
