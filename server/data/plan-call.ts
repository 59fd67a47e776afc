import type { Routine } from "./catalogue.ts";
import type { DataRequest } from "./parse.ts";
import { refusals } from "./refusals.ts";

type Parameter = Routine["parameters"][number];

/** A function call. `given` are the parameters with an argument; the others have defaults. */
export interface Call {
  routine: Routine;
  given: readonly Parameter[];
  /** The arguments: one JSON object (POST), or one text for each parameter in `given` (GET and HEAD). */
  values: { kind: "json"; json: string } | { kind: "texts"; texts: readonly string[] };
}

/**
 * Chooses the function that has a parameter for each given argument and a default for every other parameter
 * (docs/protocol.md#functions).
 */
export function planCall(request: DataRequest, routines: readonly Routine[]): Call {
  const { payload, queryArguments, target } = request;
  const names = payload ? (payload.keys ?? []) : [...queryArguments.keys()];

  const [routine, ...others] = routines.filter((each) => acceptsArguments(each, names));
  if (!routine) throw refusals.unknownFunction(target.schema, target.name, names.toSorted(), similarFunction(routines));
  if (others.length > 0) throw refusals.ambiguousFunction([routine, ...others].map(signature));

  const given = routine.parameters.filter(({ name }) => names.includes(name));
  if (payload) return { routine, given, values: { kind: "json", json: payload.json } };
  return { routine, given, values: { kind: "texts", texts: given.map(({ name }) => queryArguments.get(name) ?? "") } };
}

function acceptsArguments({ parameters }: Routine, names: readonly string[]): boolean {
  const known = names.every((name) => parameters.some((parameter) => parameter.name === name));
  return known && parameters.every(({ name, hasDefault }) => hasDefault || names.includes(name));
}

/** Describes a function of the same name with other parameters, which the refusal then suggests to the caller. */
function similarFunction([first]: readonly Routine[]): string | undefined {
  if (!first) return undefined;
  const names = first.parameters.map(({ name }) => name).toSorted();
  return `${first.schema}.${first.name}(${names.join(", ")})`;
}

function signature({ schema, name, parameters }: Routine): string {
  return `${schema}.${name}(${parameters.map((each) => `${each.name} => ${each.type}`).join(", ")})`;
}
