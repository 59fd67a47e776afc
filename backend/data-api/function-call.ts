import { escapeIdentifier } from "pg";
import type { Column, Routine } from "./catalogue.ts";
import type { Payload } from "./parse-request.ts";
import { refusals } from "./refusals.ts";
import type { Names } from "./write-filter.ts";

/**
 * Chooses the function that has a parameter for each given argument and a default for every other parameter
 * (docs/protocol.md#functions).
 */
export function chooseFunction(name: string, { keys }: Payload, all: readonly Routine[]): Routine {
  const [routine, ...others] = all.filter((each) => each.name === name && acceptsArguments(each, keys));
  if (!routine) throw refusals.unknownFunction(name, keys.toSorted());
  if (others.length > 0) throw refusals.ambiguousFunction(name);
  return routine;
}

function acceptsArguments({ parameters }: Routine, names: readonly string[]): boolean {
  const known = names.every((name) => parameters.some((parameter) => parameter.name === name));
  return known && parameters.every(({ name, hasDefault }) => hasDefault || names.includes(name));
}

/** PostgreSQL makes the arguments from the JSON and converts each to the type of its parameter. */
export function writeCall(routine: Routine, { keys, json }: Payload, bind: Names["bind"]): string {
  const given = routine.parameters.filter(({ name }) => keys.includes(name));
  const named = given.map(({ name }) => `${escapeIdentifier(name)} => given.${escapeIdentifier(name)}`);
  const call = `"public".${escapeIdentifier(routine.name)}(${named.join(", ")})`;
  const alias = routine.returns === "rows" ? "source" : "source (value)";
  return `select source.* ${writeGiven(given, bind(json))}, lateral ${call} as ${alias}`;
}

/** The rows of a JSON array, as a `from` clause. */
export function writeGiven(columns: readonly Column[], json: string): string {
  const definitions = columns.map(({ name, type }) => `${escapeIdentifier(name)} ${type}`).join(", ");
  return definitions === ""
    ? `from json_array_elements(${json}::json) as given`
    : `from json_to_recordset(${json}::json) as given (${definitions})`;
}
