import { type ClientBase, type Connection, Query, type QueryResult } from "pg";
import { DirectClient } from "./client.ts";

/** One SQL statement with its parameters. */
export interface Statement {
  /**
   * A `DirectClient` keeps the last statement of each name planned, which saves a quarter of PostgreSQL's work for a
   * contact. Another text of the same name takes its place, so that callers cannot fill the memory of PostgreSQL.
   */
  name?: string;
  text: string;
  values?: unknown[];
}

/**
 * Runs two statements in one round trip and resolves with the result of the second. If the first fails, PostgreSQL does
 * not run the second. Outside of a transaction block both are one transaction, because they share one `Sync` message
 * (PostgreSQL manual, 54.2.4 "Pipelining"). pg's own pipeline mode sends one after each statement.
 *
 * The first statement must return no rows, and its values must be texts.
 */
export function queryPipelined<Row extends object>(
  client: ClientBase,
  first: Statement & { values?: string[] },
  second: Statement,
): Promise<QueryResult<Row>> {
  const [firstName = "", secondName = ""] = client instanceof DirectClient ? [first.name, second.name] : [];
  let parsed: ParsedConnection["parsedStatements"] = {};
  return new Promise((resolve, reject) => {
    // In the extended protocol PostgreSQL refuses a text with more than one statement, so an injected second statement
    // could not run.
    const config = { ...second, name: secondName, queryMode: "extended" };
    const query = new Query<Row>(config, (error, results) => {
      // pg keeps a result of each statement.
      if (!error) return resolve((results as unknown as QueryResult<Row>[])[1] as QueryResult<Row>);
      // After an error PostgreSQL may have parsed neither or only one of them.
      for (const name of [firstName, secondName]) delete parsed[name];
      reject(error);
    });
    const submitSecond = query.submit.bind(query);
    query.submit = (connection) => {
      parsed = (connection as ParsedConnection).parsedStatements;
      connection.stream.cork();
      parse(connection as ParsedConnection, firstName, first.text);
      connection.bind({ statement: firstName, values: first.values ?? [] }, true);
      connection.execute({}, true);
      // pg itself parses a statement without a name.
      if (secondName) parse(connection as ParsedConnection, secondName, second.text);
      submitSecond(connection);
      connection.stream.uncork();
    };
    client.query(query);
  });
}

type ParsedConnection = Connection & { parsedStatements: Record<string, string> };

function parse(connection: ParsedConnection, name: string, text: string) {
  if (name && connection.parsedStatements[name] === text) return;
  if (name) connection.close({ type: "S", name }, true);
  connection.parse({ name, text, types: [] }, true);
  if (name) connection.parsedStatements[name] = text;
}
