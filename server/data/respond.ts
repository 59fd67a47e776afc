import type { FastifyReply } from "fastify";
import type { DataRequest } from "./parse.ts";
import type { Preferences } from "./parse-headers.ts";
import type { DeletePlan, InsertPlan, Plan, ReadPlan, UpdatePlan } from "./plan.ts";
import type { Outcome } from "./run.ts";

/**
 * Stage five: sends the status, headers and body of a successful answer (docs/protocol.md#select,
 * docs/protocol.md#insert-answers, docs/protocol.md#update-and-delete).
 */
export function respond(reply: FastifyReply, request: DataRequest, plan: Plan, outcome: Outcome) {
  const applied = preferencesApplied(request.preferences, plan);
  if (applied) reply.header("preference-applied", applied);
  if (plan.kind === "read") return respondToRead(reply, request, plan, outcome);
  if (plan.kind === "insert") return respondToInsert(reply, request, plan, outcome);
  return respondToChange(reply, request, plan, outcome);
}

function respondToInsert(reply: FastifyReply, request: DataRequest, plan: InsertPlan, outcome: Outcome) {
  reply.code(201).header("content-range", `*/${outcome.total ?? "*"}`);
  if (plan.returning === "nothing") return reply.send();
  if (plan.returning !== "key") return sendJson(reply, request, outcome.body);

  const location = locationOf(plan, outcome);
  return (location ? reply.header("location", location) : reply).send();
}

function respondToChange(
  reply: FastifyReply,
  request: DataRequest,
  { kind, returning }: UpdatePlan | DeletePlan,
  { body, returned, total }: Outcome,
) {
  const rows = kind === "update" && returned > 0 ? `0-${returned - 1}` : "*";
  reply.header("content-range", `${rows}/${total ?? "*"}`);
  return returning === "nothing" ? reply.code(204).send() : sendJson(reply.code(200), request, body);
}

function respondToRead(reply: FastifyReply, request: DataRequest, plan: ReadPlan, outcome: Outcome) {
  const { returned, total } = outcome;
  const rows = returned === 0 ? "*" : `${plan.offset}-${plan.offset + returned - 1}`;
  reply.header("content-range", `${rows}/${total ?? "*"}`);
  if (plan.source.kind === "call" && plan.source.call.routine.returns === "nothing") return reply.code(204).send();

  if (plan.source.kind === "table") reply.header("content-location", contentLocation(request));
  reply.code(total !== undefined && returned < total ? 206 : 200);
  return sendJson(reply, request, outcome.body);
}

/** Sends the JSON text of PostgreSQL unchanged. */
function sendJson(reply: FastifyReply, request: DataRequest, body: string | null) {
  reply.header("content-type", `${request.media}; charset=utf-8`);
  return request.method === "HEAD" ? reply.send() : reply.send(body ?? "null");
}

function contentLocation({ target, canonicalQuery }: DataRequest): string {
  return `/${encodeURIComponent(target.name)}${canonicalQuery === "" ? "" : `?${canonicalQuery}`}`;
}

/** The address of the new row, if there is exactly one. */
function locationOf({ table }: InsertPlan, { body, returned }: Outcome): string | undefined {
  if (returned !== 1) return undefined;
  const [key]: Record<string, unknown>[] = JSON.parse(body ?? "[]");
  const query = Object.entries(key ?? {}).map(([name, value]) => [name, `eq.${value}`]);
  return `/${encodeURIComponent(table.name)}?${new URLSearchParams(query)}`;
}

/** Lists the preferences that took effect, in the order of the keys of `Preferences` (docs/protocol.md#preferences). */
function preferencesApplied(preferences: Preferences, { kind, affectedMax }: Plan): string {
  const applies: { readonly [name in keyof Preferences]: boolean } = {
    missing: kind === "insert",
    return: kind !== "read",
    count: true,
    handling: true,
    "max-affected": affectedMax !== undefined,
  };
  return Object.entries(preferences)
    .filter(([name, value]) => value !== undefined && applies[name as keyof Preferences])
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}
