import type { LightMyRequestResponse } from "fastify";
import {
  type Answer,
  type Attempt,
  asSection,
  type Cells,
  columnSection,
  extent,
  share,
  tryEach,
} from "./access-attempts.ts";
import { type Access, nothing, type Row } from "./access-document.ts";
import type { Request, Send } from "./access-http.ts";
import type { Inventory, Relation, Routine } from "./access-inventory.ts";

/** Finds out what the data API lets each caller do, in the words that the document has for the database. */
export async function observeDataApi(
  { relations, routines }: Inventory,
  callers: Readonly<Record<string, Send>>,
  contactOf: (caller: string) => object,
): Promise<Access> {
  const columns = await forEachCaller(callers, (attempt) => tryColumns(relations.filter(isExposed), attempt));
  const reads = await forEachCaller(callers, (attempt, caller) =>
    tryReads(relations, attempt, columns[caller] ?? new Map()),
  );
  const changes = await forEachCaller(callers, (attempt, caller) =>
    tryChanges(relations, attempt, columns[caller] ?? new Map()),
  );
  // Last: an added contact stays, and changes what others read.
  const additions = await forEachCaller(callers, (attempt, caller) =>
    tryAdditions(relations, attempt, contactOf(caller)),
  );
  const functions = await forEachCaller(callers, (attempt) => tryEach(routines, attempt, callsOf));

  const verbs = Object.fromEntries(
    Object.keys(callers).map((caller) => [caller, join([reads, additions, changes].map((each) => each[caller]))]),
  );
  return new Map([
    ["Tables and views", asSection(relations, verbs, ({ kind }) => ({ Kind: kind }))],
    ["Columns", columnSection(relations, columns)],
    ["Functions", asSection(routines, functions, ({ rights }) => ({ "Rights of": rights }))],
  ]);
}

/**
 * What the document promises over HTTP: its cells, but only in the schema public, only to read, add, change, remove and
 * execute, and nothing with the role of a secret key.
 */
export function promisedByDataApi(document: Access): Access {
  return new Map(
    ["Tables and views", "Columns", "Functions"].map((heading) => {
      const rows = [...(document.get(heading) ?? [])].map(([object, row]) => [object, promise(object, row)] as const);
      const isKept = (row: Row) => heading !== "Columns" || Object.values(row).some((cell) => cell !== nothing);
      return [heading, new Map(rows.filter(([, row]) => isKept(row)))];
    }),
  );
}

function promise(object: string, { anon = "", user = "", admin = "", ...row }: Row): Row {
  const offered = (cell: string) => {
    const verbs = cell.split(", ").filter((verb) => /^(select|insert|update|delete|execute)/.test(verb));
    return isExposed({ name: object }) && verbs.length > 0 ? verbs.join(", ") : nothing;
  };
  return { ...row, anon: offered(anon), user: offered(user), admin: offered(admin), service: nothing };
}

function tryColumns(relations: readonly Relation[], attempt: Attempt<Request>): Promise<Cells> {
  const targets = relations.flatMap(({ name, columns }) =>
    columns.map((column) => ({ name: `${name}.${column}`, column, ...addressOf({ name }) })),
  );
  return tryEach(targets, attempt, ({ column, url, headers }) => ({
    select: { url: `${url}?select=${column}`, headers },
    insert: { url, headers, method: "POST", payload: { [column]: null } },
    // It matches no row, so only the lack of a right can refuse it.
    update: {
      url: `${url}?and=(${column}.is.null,${column}.not.is.null)`,
      headers,
      method: "PATCH",
      payload: { [column]: null },
    },
  }));
}

function tryReads(relations: readonly Relation[], attempt: Attempt<Request>, columnCells: Cells): Promise<Cells> {
  const attemptsAt = (relation: Relation): Record<string, Request> => {
    const { url, headers } = addressOf(relation);
    const columns = relation.columns.filter((column) =>
      columnCells.get(`${relation.name}.${column}`)?.includes("select"),
    );
    if (columns.length > 0) return { select: { url: `${url}?select=${columns}`, headers } };
    return asIfPublic(relation, { select: { url, headers }, head: { url, headers, method: "HEAD" } });
  };
  return tryEach(relations, attempt, attemptsAt, (verb, answer, { rows }) =>
    verb === "select" ? `select ${extent(answer, rows)}` : verb,
  );
}

/** Each change of all rows is rolled back, because it may affect none. The refusal counts the rows. */
function tryChanges(relations: readonly Relation[], attempt: Attempt<Request>, columnCells: Cells): Promise<Cells> {
  const attemptsAt = (relation: Relation): Record<string, Request> => {
    const address = addressOf(relation);
    const columnsTo = (verb: string) =>
      relation.columns.filter((column) => columnCells.get(`${relation.name}.${column}`)?.includes(verb));
    const column = columnsTo("select")[0] ?? relation.columns[0];
    const url = `${address.url}?or=(${column}.is.null,${column}.not.is.null)`;
    const headers = { ...address.headers, prefer: "handling=strict, max-affected=0" };
    const row = Object.entries(relation.rows[0] ?? {});
    const updatable = columnsTo("update");
    const payload = Object.fromEntries(row.filter(([name]) => updatable.length === 0 || updatable.includes(name)));
    return asIfPublic(relation, {
      update: { url, headers, method: "PATCH", payload },
      delete: { url, headers, method: "DELETE" },
    });
  };
  return tryEach(relations, attempt, attemptsAt, (verb, answer, { rows }) =>
    typeof answer === "number" ? `${verb} ${share(answer, rows.length)}` : `${verb} (${answer})`,
  );
}

function tryAdditions(relations: readonly Relation[], attempt: Attempt<Request>, contact: object): Promise<Cells> {
  const attemptsAt = (relation: Relation): Record<string, Request> => {
    const { url, headers } = addressOf(relation);
    const payload = relation.name === "public.contacts" ? contact : {};
    return asIfPublic(relation, {
      insert: { url, headers, method: "POST", payload },
      replace: { url, headers, method: "PUT", payload },
      trace: { url, headers, method: "TRACE" as "GET" },
      query: { url, headers, method: "QUERY" as "GET", payload },
    });
  };
  return tryEach(relations, attempt, attemptsAt, (verb, answer) =>
    verb === "insert" && answer !== 1 ? `insert (${answer})` : verb,
  );
}

function callsOf(routine: Routine): Record<string, Request> {
  const { url, headers } = addressOf(routine, "rpc/");
  const payload = Object.fromEntries(routine.parameters.map((name) => [name, null]));
  return asIfPublic(routine, { execute: { url, headers, method: "POST", payload } });
}

/**
 * A closed object is requested once with the name of its schema, and in every way without it, as if it were in the
 * schema public.
 */
function asIfPublic(object: { name: string }, requests: Record<string, Request>): Record<string, Request> {
  if (isExposed(object)) return requests;
  const plain = Object.entries(requests).map(([verb, request]) => [`${verb} as public`, { ...request, headers: {} }]);
  return Object.fromEntries([...Object.entries(requests).slice(0, 1), ...plain]);
}

function isExposed({ name }: { name: string }): boolean {
  return name.startsWith("public.");
}

/** The address of a table or function, with the headers that name its schema. */
function addressOf({ name }: { name: string }, folder = "") {
  const [schema = "", object = ""] = name.replace(/\(.*/, "").replaceAll('"', "").split(".");
  return {
    url: `/rest/v1/${folder}${encodeURIComponent(object)}`,
    headers: { "accept-profile": schema, "content-profile": schema },
  };
}

async function forEachCaller(
  callers: Readonly<Record<string, Send>>,
  observe: (attempt: Attempt<Request>, caller: string) => Promise<Cells>,
): Promise<Record<string, Cells>> {
  const results = Object.entries(callers).map(async ([caller, send]) => {
    const attempt: Attempt<Request> = async (requests) => {
      const answers: Answer[] = [];
      for (const request of requests) answers.push(answerOf(await send(request)));
      return answers;
    };
    return [caller, await observe(attempt, caller)] as const;
  });
  return Object.fromEntries(await Promise.all(results));
}

function answerOf({ statusCode, body }: LightMyRequestResponse): Answer {
  const content = /^[[{]/.test(body) ? JSON.parse(body) : undefined;
  if (content?.code === "PGRST124") return Number(/\d+/.exec(content.details));
  if (statusCode >= 300) return content?.code ?? `${statusCode}`;
  if (statusCode === 204) return 0;
  return Array.isArray(content) ? content : 1;
}

function join(all: readonly (Cells | undefined)[]): Cells {
  const joined = [...(all[0] ?? [])].map(([name]) => {
    const parts = all.map((cells) => cells?.get(name) ?? nothing).filter((part) => part !== nothing);
    return [name, parts.join(", ") || nothing] as const;
  });
  return new Map(joined);
}
