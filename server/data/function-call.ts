import { escapeIdentifier } from "pg";
import type { Routine } from "./catalogue.ts";
import type { DataRequest } from "./parse.ts";
import { refusals } from "./refusals.ts";
import { type Bind, definitionsOf, nameOf } from "./write-filter.ts";

/** A function call. `given` are the parameters with an argument; the others have defaults. */
export interface Call {
  routine: Routine;
  given: Routine["parameters"];
  /** The arguments of a POST, as one JSON object. */
  json: string | undefined;
  /** The arguments of a GET or HEAD, as texts. */
  texts: ReadonlyMap<string, string>;
}

/**
 * Chooses the function that has a parameter for each given argument and a default for every other parameter
 * (docs/protocol.md#functions).
 */
export function chooseFunction({ payload, queryArguments, target }: DataRequest, all: readonly Routine[]): Call {
  const routines = all.filter(({ name }) => name === target.name);
  const names = payload ? (payload.keys ?? []) : [...queryArguments.keys()];
  const [routine, ...others] = routines.filter((each) => acceptsArguments(each, names));
  if (!routine) throw refusals.unknownFunction(target.name, names.toSorted(), routines[0]);
  if (others.length > 0) throw refusals.ambiguousFunction([routine, ...others]);

  const given = routine.parameters.filter(({ name }) => names.includes(name));
  return { routine, given, json: payload?.json, texts: queryArguments };
}

function acceptsArguments({ parameters }: Routine, names: readonly string[]): boolean {
  const known = names.every((name) => parameters.some((parameter) => parameter.name === name));
  return known && parameters.every(({ name, hasDefault }) => hasDefault || names.includes(name));
}

export function writeCall({ routine, given, json, texts }: Call, bind: Bind): string {
  const isJson = json !== undefined && given.length > 0;
  const named = given.map(({ name, type }) => {
    const value = isJson ? `given.${escapeIdentifier(name)}` : `${bind(texts.get(name))}::${type}`;
    return `${escapeIdentifier(name)} => ${value}`;
  });
  const record = isJson ? `json_to_record(${bind(json)}::json) as given (${definitionsOf(given)}), lateral ` : "";
  const alias = routine.returns === "rows" ? "source" : "source (value)";
  return `select source.* from ${record}${nameOf(routine)}(${named.join(", ")}) as ${alias}`;
}
