import { randomUUID } from "node:crypto";
import { insufficientPrivilege } from "#backend/database/errors";
import { readAnswer } from "#process/read-answer";
import { broken, type Finding, look, ok } from "./finding.ts";

export interface HostedProject {
  url: string;
  key: string;
}

export interface Credentials {
  email: string;
  password: string;
}

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of another server.
  data: any;
  error: { code?: string; message: string } | null;
  status: number;
}

const secondsMax = 10;

/**
 * Tries the access rules of a hosted project over HTTP. Nothing is changed: every change is filtered on a random id, which
 * no row has.
 */
export async function checkHosted(project: HostedProject, credentials?: Credentials): Promise<Finding[]> {
  const ask = callerOf(project);
  const unusable = problemOf(await ask("GET", "rest/v1/contacts?select=id&limit=1"), project);
  if (unusable) return [unusable];
  return [...(await tryCaller(ask, "A stranger")), ...(credentials ? await tryUser(project, credentials) : [])];
}

/** Sends requests to the project as an anonymous caller, or with the token of an account. */
function callerOf({ url, key }: HostedProject, token = key) {
  const headers = { apikey: key, authorization: `Bearer ${token}`, "content-type": "application/json" };
  return async (method: string, path: string, body?: object): Promise<Answer> => {
    try {
      const answer = await fetch(`${url}/${path}`, {
        method,
        headers: { ...headers, prefer: method === "POST" ? "return=minimal" : "return=representation" },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(secondsMax * 1000),
      });
      const text = await readAnswer(answer.body);
      const { status, ok } = answer;
      if (ok) return { data: text && JSON.parse(text), error: null, status };
      // The API of accounts names it `msg`, and what is in front of a project answers no JSON.
      const { code, message, msg } = await new Response(text).json().catch(() => ({}));
      return { data: null, error: { code, message: msg ?? message ?? answer.statusText }, status };
    } catch (error) {
      return { data: null, error: { message: String(error) }, status: 0 };
    }
  };
}

/** Why nothing at all can be tried. That a stranger may not read contacts is right. */
function problemOf({ error, status }: Answer, { url }: HostedProject): Finding | undefined {
  if (!error || error.code === insufficientPrivilege) return undefined;
  const saw = `The project at ${url} answers ${status || "nothing"}: ${error.message.replace(/\.?$/, ".")}`;
  if (error.code === "PGRST205")
    return broken(
      saw,
      "npx supabase db push applies the migrations (docs/deploying.md#a-static-host-and-a-hosted-project).",
    );
  return broken(
    saw,
    "See whether it is paused, and whether PUBLIC_SUPABASE_URL and PUBLIC_SUPABASE_ANON_KEY are its address and key.",
  );
}

const hasRows = ({ data }: Answer) => Array.isArray(data) && data.length > 0;
const isRefused = ({ error }: Answer) =>
  error?.code === insufficientPrivilege || /permission denied|row-level security/.test(error?.message ?? "");

/** What is open to this caller that should be closed. */
async function tryCaller(
  ask: ReturnType<typeof callerOf>,
  who: "A stranger" | "A user without a role",
): Promise<Finding[]> {
  const id = randomUUID();
  const one = `rest/v1/contacts?select=id&id=eq.${id}`;
  // A user may run a change, but policies hide all rows; so only a changed row is a problem.
  const isChanged = (answer: Answer) => (who === "A stranger" ? !answer.error : hasRows(answer));
  const tries: readonly (readonly [what: string, request: PromiseLike<Answer>, isOpen: (answer: Answer) => boolean])[] =
    [
      ["reads contacts", ask("GET", "rest/v1/contacts?select=id&limit=1"), hasRows],
      ["reads user_roles", ask("GET", "rest/v1/user_roles?limit=1"), hasRows],
      ["may change contacts", ask("PATCH", one, { state: "archived" }), isChanged],
      ["may delete contacts", ask("DELETE", one), isChanged],
      // The name is missing, so the row could not be stored even if the right were there.
      ["may choose the id of a contact", ask("POST", "rest/v1/contacts", { id }), (answer) => !isRefused(answer)],
      [
        "counts as an admin",
        ask("POST", "rest/v1/rpc/has_role", { _user_id: id, _role: "admin" }),
        ({ data }) => data === true,
      ],
    ];
  const found = await Promise.all(
    tries.map(async ([what, request, isOpen]) =>
      isOpen(await request)
        ? [broken(`${who} ${what}.`, "Restore the rights and policies of supabase/migrations (docs/access.md).")]
        : [],
    ),
  );
  const problems = found.flat();
  return problems.length > 0 ? problems : [ok(`${who} neither reads nor changes contacts or roles.`)];
}

async function tryUser(project: HostedProject, { email, password }: Credentials): Promise<Finding[]> {
  const { data, error } = await callerOf(project)("POST", "auth/v1/token?grant_type=password", { email, password });
  if (error || !data.user) {
    const todo = "Give the address and password of an account without a role.";
    return [look(`The account cannot log in: ${error?.message ?? "no session"}.`, todo)];
  }
  const ask = callerOf(project, data.access_token);
  try {
    const isAdmin = await ask("POST", "rest/v1/rpc/has_role", { _user_id: data.user.id, _role: "admin" });
    if (isAdmin.data === true)
      return [
        look(
          "The account is an admin, who may read the contacts, so nothing was tried as a user.",
          "Give an account without a role. If it should have none: npm run admin -- revoke.",
        ),
      ];
    return await tryCaller(ask, "A user without a role");
  } finally {
    await ask("POST", "auth/v1/logout?scope=local");
  }
}
