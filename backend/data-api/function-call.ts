import { escapeIdentifier } from "pg";
import type { Routine } from "./catalogue.ts";
import type { DataRequest } from "./parse-request.ts";
import { refusals } from "./refusals.ts";
import { type Bind, definitionsOf, nameOf } from "./write-filter.ts";

/**
 * Chooses the function that has a parameter for each given argument and a default for every other parameter
 * (docs/protocol.md#functions).
 */
export function chooseFunction(request: DataRequest, all: readonly Routine[]): Routine {
  const routines = all.filter(({ name }) => name === request.target.name);
  const names = argumentNames(request);
  const [routine, ...others] = routines.filter((each) => acceptsArguments(each, names));
  if (!routine) throw refusals.unknownFunction(request.target.name, names.toSorted(), routines[0]);
  if (others.length > 0) throw refusals.ambiguousFunction([routine, ...others]);
  return routine;
}

function argumentNames({ payload, queryArguments }: DataRequest): string[] {
  return payload ? (payload.keys ?? []) : [...queryArguments.keys()];
}

function acceptsArguments({ parameters }: Routine, names: readonly string[]): boolean {
  const known = names.every((name) => parameters.some((parameter) => parameter.name === name));
  return known && parameters.every(({ name, hasDefault }) => hasDefault || names.includes(name));
}

/** The arguments of a POST are one JSON object, those of a GET or HEAD are texts. */
export function writeCall(routine: Routine, request: DataRequest, bind: Bind): string {
  const names = argumentNames(request);
  const given = routine.parameters.filter(({ name }) => names.includes(name));
  const json = given.length > 0 ? request.payload?.json : undefined;
  const named = given.map(({ name, type }) => {
    const text = () => `${bind(request.queryArguments.get(name))}::${type}`;
    return `${escapeIdentifier(name)} => ${json === undefined ? text() : `given.${escapeIdentifier(name)}`}`;
  });
  const record =
    json === undefined ? "" : `json_to_record(${bind(json)}::json) as given (${definitionsOf(given)}), lateral `;
  const alias = routine.returns === "rows" ? "source" : "source (value)";
  return `select source.* from ${record}${nameOf(routine)}(${named.join(", ")}) as ${alias}`;
}
