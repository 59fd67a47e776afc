import type { Routine } from "./catalogue.ts";
import type { DataRequest } from "./parse.ts";
import { refusals } from "./refusals.ts";

type Parameter = Routine["parameters"][number];

/** One function with the arguments it is given; parameters that are not given have defaults. */
export interface Call {
  routine: Routine;
  given: readonly Parameter[];
  /** A JSON object (POST), or one text per given parameter (GET and HEAD). */
  values: { kind: "json"; json: string } | { kind: "texts"; texts: readonly string[] };
}

/** Picks the function whose parameters bear exactly these names (protocol section 4.5). */
export function planCall(request: DataRequest, routines: readonly Routine[]): Call {
  const { payload, queryArguments, target } = request;
  const names = payload ? (payload.keys ?? []) : [...queryArguments.keys()];

  const [routine, ...others] = routines.filter((each) => accepts(each, names));
  if (!routine) throw refusals.noSuchFunction(target.schema, target.name, names.toSorted(), nearest(routines));
  if (others.length > 0) throw refusals.ambiguousFunction([routine, ...others].map(signature));

  const given = routine.parameters.filter(({ name }) => names.includes(name));
  if (payload) return { routine, given, values: { kind: "json", json: payload.json } };
  return { routine, given, values: { kind: "texts", texts: given.map(({ name }) => queryArguments.get(name) ?? "") } };
}

function accepts({ parameters }: Routine, names: readonly string[]): boolean {
  const known = names.every((name) => parameters.some((parameter) => parameter.name === name));
  return known && parameters.every(({ name, hasDefault }) => hasDefault || names.includes(name));
}

/** A function of that name which wants other arguments is what the caller most likely meant. */
function nearest([first]: readonly Routine[]): string | undefined {
  if (!first) return undefined;
  const names = first.parameters.map(({ name }) => name).toSorted();
  return `${first.schema}.${first.name}(${names.join(", ")})`;
}

function signature({ schema, name, parameters }: Routine): string {
  return `${schema}.${name}(${parameters.map((each) => `${each.name} => ${each.type}`).join(", ")})`;
}
